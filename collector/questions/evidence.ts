import { Type } from 'typebox';
import { ASKED_DIMENSIONS, FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import {
  type AnswerOf,
  Count,
  Counts,
  EvidenceSchema,
  each,
  KEY,
  MethodSchema,
  Moment,
  MonthOfBrowsers,
  object,
  orNull,
  TableSchema,
} from '../analysis/answer-schema.ts';
import { toCacheTable } from '../analysis/tables/cache-table.ts';
import type { Language } from '../analysis/text/language.ts';
import { pickTexts } from '../analysis/text/texts.ts';
import { type BrowserCount, calendarMonth, largestMonth } from '../reductions/browser-count.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { collectBrowsersSeen, type SeenBrowser } from '../storage/passes/collect-browsers-seen.ts';
import { collectCache } from '../storage/passes/collect-cache.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import type { Folding } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import { howToOpen } from '../storage/passes/reading-source.ts';
import { readCounters } from '../storage/passes/to-cell-aggregate.ts';
import { StoreError } from '../storage/store-error.ts';
import { dimensions, filters, flag, RANGE } from './parameters.ts';
import { describeMethod, foldedCells, question, refuseLargeAnswer } from './question.ts';
import { type Folded, foldEach, foldingReadings, leftOut, NOTHING_FOLDED } from './visibility/fold-small-groups.ts';
import {
  createVisibility,
  shownReasons,
  smallGroups,
  type ViewerRule,
  type Visibility,
} from './visibility/visibility.ts';

const HOUR_MS = 3_600_000;
/** The dimensions of a row of `versions`. */
const VERSION = ['browserVersion', 'extension'] as const;

/** An origin that a match pattern names without a wildcard. */
const PLAIN_ORIGIN = /^(https?:\/\/[^/*]+)\//;
const ANY = 'Timing-Allow-Origin: *';

const Versions = Type.Array(
  object({
    browser: Type.String(),
    /** Major version of the browser. */
    version: Type.String(),
    extension: Type.String(),
    browsers: Count,
    browsersMonth: MonthOfBrowsers,
    samples: Count,
    lastSeen: Moment,
  }),
);
/** Counts only: no browser is named. */
const Fleet = object({
  browsers: Count,
  browsersMonth: MonthOfBrowsers,
  versions: Versions,
  /** Browsers by when they were last seen, back from `to`; null if small groups are folded: each has few browsers. */
  lastSeen: orNull(each(['hour', 'day', 'week', 'earlier'], Count)),
  /** Of all batches of the range, unfiltered; null if small groups are folded: the largest is one browser's. */
  clocks: orNull(each(['batches', 'corrected', 'largestMs'], Count)),
});
export type Fleet = AnswerOf<typeof Fleet>;
type FleetVersion = Fleet['versions'][number];

const Answer = object({
  method: MethodSchema,
  cells: Type.Array(
    object({
      ...KEY,
      samples: Count,
      browsers: Count,
      browsersMonth: MonthOfBrowsers,
      evidence: EvidenceSchema,
      connections: Counts,
      status: Counts,
      /** Why times of usable samples are unknown. */
      unknown: Type.Record(Type.String(), Counts),
    }),
  ),
  /** Cache share and bytes fetched again per type; null if the samples are no longer kept, or there are too many. */
  cache: orNull(TableSchema),
  /** Hosts that hide their times from a target's pages, and the headers that would make them visible. */
  askForTiming: Type.Array(
    object({
      host: Type.String(),
      target: Type.String(),
      opaque: Count,
      samples: Count,
      /** Response headers, one of which has to be sent: each allows one origin of the target. */
      headers: Type.Array(Type.String()),
    }),
  ),
  /** null if the samples are no longer kept, or there are too many. */
  fleet: orNull(Fleet),
  /** Why `cache` or `fleet` is null. */
  missing: orNull(Type.String()),
});
/** `GET /api/v1/evidence`. */
export type EvidenceDocument = AnswerOf<typeof Answer>;
export type EvidenceCell = EvidenceDocument['cells'][number];
export type TimingAllowance = EvidenceDocument['askForTiming'][number];

export interface EvidencePlan extends Pick<StoreQuery, 'range' | 'filters' | 'by'>, ViewerRule {
  /** Match patterns by target id. */
  readonly matches: ReadonlyMap<string, readonly string[]>;
  /** Language of the tables; English by default. */
  readonly language?: Language;
}

/** The basis of the numbers: counts by class and reason from rollups, cache and fleet from samples. */
export const evidence = question({
  name: 'evidence',
  address: '/api/v1/evidence',
  description: 'What was usable and what was not; the cache; the fleet.',
  parameters: {
    range: RANGE,
    by: dimensions(ASKED_DIMENSIONS, ['host', 'type']),
    exact: flag('Changes nothing: counts are always exact.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  async plan({ filters, by }, { range, rule, language, settings }): Promise<EvidencePlan> {
    const { targets } = await settings();
    return { range, filters, by, ...rule, language, matches: new Map(targets.map(({ id, match }) => [id, match])) };
  },
  asked: (plan) => plan,
  async read(source, plan) {
    const { range, filters, by, minGroupSize, matches, language = 'en' } = plan;
    const texts = pickTexts(language);
    const asked = { by, filters };
    const ofHosts = { by: ['host', 'target'], filters } as const;
    const ofRows = [
      { by: [], filters },
      { by: ['type'], filters },
      { by: VERSION, filters },
    ] as const;
    const opened = await source.open(range, howToOpen(asked), 2 + foldingReadings(minGroupSize));
    const visibility = createVisibility(source, plan, range);
    const all = opened.reader();
    const reader = all.filtered(filters);
    const [folded = NOTHING_FOLDED, foldedHosts = NOTHING_FOLDED, ...foldedRows] = await foldEach(visibility, all, [
      asked,
      ofHosts,
      ...(opened.fine ? ofRows : []),
    ]);
    const counts = reader.pass();
    const counted = countsOf(counts, asked, folded.folding, minGroupSize);
    const hosts = countsOf(counts, ofHosts, leftOut(foldedHosts), minGroupSize);
    await counts.run();
    const method = { ...(await describeMethod(opened, foldedCells(folded, minGroupSize))), exact: true, bound: 0 };
    const cells = counted();
    const askForTiming = hosts()
      .filter(({ evidence }) => evidence.opaque > 0)
      .map(({ host, target, evidence, samples }) => ({
        host: host ?? '',
        target: target ?? '',
        opaque: evidence.opaque,
        samples,
        headers: timingHeaders(matches.get(target ?? '') ?? []),
      }))
      .sort((a, b) => b.opaque - a.opaque);
    const unknown = { cache: null, askForTiming, fleet: null };
    try {
      const allRows = opened.fine
        ? all
        : (await source.open(range, 'fine', 1 + foldingReadings(minGroupSize))).reader();
      const [whole, types = NOTHING_FOLDED, versions = NOTHING_FOLDED] = opened.fine
        ? foldedRows
        : await foldEach(visibility, allRows, ofRows);
      const pass = allRows.filtered(filters).pass();
      const cache = collectCache(pass, pass.groups(['type'], filters, leftOut(types)));
      const clocks = minGroupSize > 1 ? null : await source.clockCorrections(range);
      const fleet = fleetOf(pass, clocks, plan, visibility, versions);
      await pass.run();
      if (whole?.folding != null) return { ...method, cells, ...unknown, missing: texts.notes.tooFewForCache };
      return { ...method, cells, cache: toCacheTable(cache(), texts), askForTiming, fleet: fleet(), missing: null };
    } catch (error) {
      if (!(error instanceof StoreError) || !['samples_expired', 'too_many_samples'].includes(error.code)) throw error;
      return { ...method, cells, ...unknown, missing: `${error.message}. ${error.hint}` };
    }
  },
});

/**
 * The response header by which a host shows its times to the pages of a target, one line for each of their origins: a
 * server sends the one that matches the request's (https://www.w3.org/TR/resource-timing/#sec-timing-allow-origin). If
 * a match pattern leaves the origin open, only `*` is certain to work.
 */
function timingHeaders(match: readonly string[]): string[] {
  const origins = match.map((pattern) => PLAIN_ORIGIN.exec(pattern)?.[1]);
  if (origins.length === 0 || origins.includes(undefined)) return [ANY];
  return [...new Set(origins)].map((origin) => `Timing-Allow-Origin: ${origin}`);
}

/** Call the result once the pass has run. */
function countsOf(
  pass: RangePass,
  { by, filters }: Pick<StoreQuery, 'by' | 'filters'>,
  folding: Folding | null,
  minGroupSize: number,
): () => EvidenceCell[] {
  const groups = pass.groups(by, filters, folding);
  const counts = pass.count(groups);
  const browsers = pass.browsers(groups);
  return () => {
    refuseLargeAnswer(groups.keys.length);
    return groups.sorted().flatMap((group): EvidenceCell[] => {
      const counters = counts.entries(group);
      const { samples, evidence, status, unknown } = readCounters(counters);
      if (samples === 0) return [];
      const connections = counters.flatMap(([name, n]) =>
        name.startsWith('connection:') ? [[name.slice(11), n]] : [],
      );
      return [
        {
          ...groups.keys[group],
          samples,
          ...browsers.of(group),
          evidence,
          connections: Object.fromEntries(connections) as Record<string, number>,
          status,
          unknown: shownReasons(unknown, minGroupSize),
        },
      ];
    });
  };
}

/** Call the result once the pass has run. */
function fleetOf(
  pass: RangePass,
  clocks: Fleet['clocks'],
  plan: EvidencePlan,
  visibility: Visibility,
  versions: Folded,
): () => Fleet {
  const seen = collectBrowsersSeen(pass, pass.groups([], plan.filters));
  return () =>
    summarizeFleet(
      [...seen].map(([client, browser]) => ({ ...browser, counts: visibility.counts(client) })),
      clocks,
      plan,
      versions,
    );
}

interface Seen extends SeenBrowser {
  /** Whether it counts towards a group. */
  readonly counts: boolean;
}

function summarizeFleet(
  seen: readonly Seen[],
  clocks: Fleet['clocks'],
  { range, minGroupSize }: EvidencePlan,
  versions: Folded,
): Fleet {
  const ages = seen.map(({ last }) => (range.to - last) / HOUR_MS);
  const aged = (from: number, to: number) => ages.filter((age) => age >= from && age < to).length;
  return {
    ...countOf(seen),
    versions: versionsOf(seen, minGroupSize, versions),
    lastSeen:
      minGroupSize > 1
        ? null
        : {
            hour: aged(0, 1),
            day: aged(1, 24),
            week: aged(24, 24 * 7),
            earlier: aged(24 * 7, Number.POSITIVE_INFINITY),
          },
    clocks,
  };
}

/** Each browser counts for the version it was last seen with; versions of too few browsers are one row. */
function versionsOf(browsers: readonly Seen[], minGroupSize: number, { folding }: Folded): FleetVersion[] {
  const versions = new Map<string, Seen[]>();
  for (const one of browsers) {
    const id = JSON.stringify([one.browser, one.version, one.extension]);
    const own = versions.get(id);
    if (own === undefined) versions.set(id, [one]);
    else own.push(one);
  }
  const all = [...versions.values()];
  const counted = (own: readonly Seen[]) => own.filter(({ counts }) => counts).length;
  const sized = all.map((own) => ({
    browsers: counted(own),
    samples: own.length,
    hidden: own.slice(0, 1).some((one) => folding?.ids.has(versionId(one))),
  }));
  const small = new Set(smallGroups(sized, minGroupSize));
  const rows = all.filter((_, index) => !small.has(index));
  const few = all.filter((_, index) => small.has(index)).flat();
  const named = rows.map((own) => ({ ...own[0], all: own }));
  const folded = { browser: FEW_BROWSERS, version: FEW_BROWSERS, extension: FEW_BROWSERS, all: few };
  return [
    ...named,
    ...(few.length > 0 && (minGroupSize <= 1 || counted(few) >= minGroupSize) && folding?.hidden !== true
      ? [folded]
      : []),
  ]
    .map(({ browser = '', version = '', extension = '', all }) => ({
      browser,
      version,
      extension,
      ...countOf(all),
      samples: all.reduce((sum, one) => sum + one.samples, 0),
      lastSeen: new Date(all.reduce((last, one) => Math.max(last, one.last), 0)).toISOString(),
    }))
    .sort((a, b) => b.browsers - a.browsers || (nameOf(a) < nameOf(b) ? -1 : 1));
}

function countOf(browsers: readonly Seen[]): BrowserCount {
  return largestMonth(browsers.map(({ last }) => calendarMonth(last)));
}

/** Id of the group of that version's samples, which was checked together with what the filters leave out. */
function versionId({ browser, version, extension }: Seen): string {
  return groupId([`${browser} ${version}`, extension]);
}

function nameOf({ browser, version, extension }: FleetVersion): string {
  return `${browser} ${version} ${extension}`;
}
