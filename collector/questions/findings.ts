import { Type } from 'typebox';
import { appNames, type NamesOfApps } from '../../shared/settings/app-names.ts';
import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { type AnswerOf, Count, MethodSchema, Milliseconds, object } from '../analysis/answer-schema.ts';
import { FINDING, type Finding, type FindingPlace } from '../analysis/findings/finding.ts';
import { searchWaits } from '../analysis/findings/search.ts';
import { findingWords } from '../analysis/text/finding-words.ts';
import { LANGUAGES, type Language } from '../analysis/text/language.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { filters, OPEN_RANGE, oneOf, zone } from './parameters.ts';
import { question } from './question.ts';
import { readWaits, type WaitsPlan } from './read-waits.ts';
import type { Folded } from './visibility/fold-small-groups.ts';

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

export interface FindingsPlan extends WaitsPlan {
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
  remembered: ({ range, zone, minGroupSize, freshSince = null }: FindingsPlan) => ({
    range,
    zone,
    minGroupSize,
    freshSince,
  }),
  async plan(query, { range, rule, nameBrowsers, settings }): Promise<FindingsPlan> {
    return { ...query, range, ...rule, nameBrowsers, apps: appNames((await settings()).targets) };
  },
  asked: ({ range, filters: by }) => ({ range, filters: by }),
  async read(source, plan) {
    const { minGroupSize, nameBrowsers } = plan;
    const { waits, share, parts, folded, method } = await readWaits(source, plan, PLACES);
    const found = searchWaits(waits, {
      checkpoint: source.checkpoint,
      minBrowsers: minGroupSize,
      drawn: parts === null ? null : { parts, share },
    }).filter(({ place }) => (nameBrowsers || place.client === null) && isShown(place, folded));
    const scale = 1 / share;
    const causes = found.map(
      (one): Finding => ({
        ...one,
        affectedRequests: Math.round(one.affectedRequests * scale),
        savedMs: one.savedMs * scale,
        savedInterval: [one.savedInterval[0] * scale, one.savedInterval[1] * scale],
      }),
    );
    return {
      ...method,
      waitedMs: waits.totalMs * scale,
      requests: Math.round(waits.requests * scale),
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
