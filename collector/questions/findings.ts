import { Type } from 'typebox';
import { appNames, type NamesOfApps } from '../../shared/settings/app-names.ts';
import type { Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { type AnswerOf, Count, MethodSchema, Milliseconds, object } from '../analysis/answer-schema.ts';
import { FINDING, type Finding, type FindingPlace } from '../analysis/findings/finding.ts';
import { searchWaits } from '../analysis/findings/search.ts';
import { createWaits } from '../analysis/findings/waits.ts';
import { findingWords } from '../analysis/text/finding-words.ts';
import { LANGUAGES, type Language } from '../analysis/text/language.ts';
import { offset } from '../analysis/time/zoned-time.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { collectRequestTable } from '../storage/passes/collect-request-table.ts';
import { countingReader, drawnParts } from './drawn-parts.ts';
import { filters, OPEN_RANGE, oneOf, zone } from './parameters.ts';
import { describeMethod, foldedCells, question } from './question.ts';
import { type Folded, foldEach, foldingReadings, leftOut, NOTHING_FOLDED } from './visibility/fold-small-groups.ts';
import { createVisibility, type ViewerRule } from './visibility/visibility.ts';

/** More would take seconds and say the same: the rarest cause that is material still has hundreds of requests. */
const MAX_ROWS = 200_000;

/** Dimensions of a finding's place that could identify a person, in the combinations that findings use. */
const NAMED = ['host', 'site', 'target', 'template'] as const;
const PLACES: readonly (readonly (typeof NAMED)[number][])[] = [
  [],
  ['target'],
  ['host'],
  ['site'],
  ['host', 'target'],
  ['host', 'target', 'template'],
  ['site', 'target'],
  ['host', 'site'],
  ['host', 'site', 'target'],
  ['host', 'site', 'target', 'template'],
];

const Answer = object({
  method: MethodSchema,
  /** What users waited for in all, ms, and in how many requests over the network. */
  waitedMs: Milliseconds,
  requests: Count,
  /** Share of the range's samples that were read: parts of hours drawn from a long range. */
  readShare: Type.Number({ minimum: 0, maximum: 1 }),
  /** What would save most first. */
  findings: Type.Array(
    object({
      ...FINDING,
      text: object({ title: Type.String(), saves: Type.String(), action: Type.String() }),
    }),
  ),
});
/** `GET /api/v1/findings`. */
export type FindingsDocument = AnswerOf<typeof Answer>;

export interface FindingsPlan extends ViewerRule {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly zone: string;
  readonly nameBrowsers: boolean;
  readonly language: Language;
  readonly apps: NamesOfApps;
}

/** Everything that users wait for and need not, in one list. */
export const findings = question({
  name: 'findings',
  address: '/api/v1/findings',
  description: 'What slows users down, whose it is, and how much time could be saved; largest saving first.',
  parameters: {
    range: OPEN_RANGE,
    zone: zone('Time zone of days and hours, an IANA name; default UTC.'),
    lang: oneOf(LANGUAGES, 'en', 'Language of the texts.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query: ({ range, zone: name, filters: by, lang }) => ({ range, zone: name ?? 'UTC', filters: by, language: lang }),
  answer: Answer,
  takesLong: () => true,
  async plan(query, { range, rule, nameBrowsers, settings }): Promise<FindingsPlan> {
    return { ...query, range, ...rule, nameBrowsers, apps: appNames((await settings()).targets) };
  },
  asked: ({ range, filters: by }) => ({ range, filters: by }),
  async read(source, plan) {
    const { range, filters: by, minGroupSize, nameBrowsers } = plan;
    const sketched = await source.open(range, 'sketches');
    const stored = await sketched.stored();
    const parts = drawnParts(range, stored.samples, MAX_ROWS);
    const all = (await source.open(range, 'fine', 1 + foldingReadings(minGroupSize), parts)).reader();
    const counting = countingReader(all);
    const reader = counting.reader.filtered(by);
    const queries = PLACES.map((place) => ({ by: place, filters: by }));
    const folded = await foldEach(createVisibility(source, plan, range), all, queries);
    const [whole = NOTHING_FOLDED] = folded;
    const pass = reader.pass();
    const table = collectRequestTable(pass, pass.groups([], by, leftOut(whole)));
    await pass.run();
    const share = parts === null ? 1 : counting.read() / stored.samples;
    const waits = createWaits(table(), (at) => (plan.zone === 'UTC' ? 0 : offset(at, plan.zone)));
    const found = searchWaits(waits, {
      checkpoint: reader.checkpoint,
      minBrowsers: minGroupSize,
      drawn: parts === null ? null : { parts, share },
    }).filter(({ place }) => (nameBrowsers || place.client === null) && isShown(place, folded));
    const scale = 1 / share;
    const totals = { waitedMs: waits.totalMs * scale, requests: Math.round(waits.requests * scale) };
    const causes = found.map(
      (one): Finding => ({
        ...one,
        affectedRequests: Math.round(one.affectedRequests * scale),
        savedMs: one.savedMs * scale,
        savedInterval: [one.savedInterval[0] * scale, one.savedInterval[1] * scale],
      }),
    );
    return {
      ...(await describeMethod(
        sketched,
        foldedCells(folded.find(({ folding }) => folding !== null) ?? whole, minGroupSize),
        parts === null,
      )),
      ...totals,
      readShare: share,
      findings: causes.map((finding) => ({
        ...finding,
        text: findingWords(finding, (id) => plan.apps.get(id) ?? id, plan.language),
      })),
    };
  },
});

/** A viewer sees a finding where a summary by its place would show that group. */
function isShown(place: FindingPlace, folded: readonly Folded[]): boolean {
  const named = NAMED.filter((dimension) => place[dimension] !== null);
  const index = PLACES.findIndex((by) => by.join() === named.join());
  const ids = folded[index]?.folding?.ids;
  return index >= 0 && ids?.has(groupId(named.map((dimension) => place[dimension]))) !== true;
}
