import { Type } from 'typebox';
import type { Observation } from '../../shared/statistics/bootstrap.ts';
import { compareGroups, inMilliseconds, SAMPLED_BECAUSE } from '../../shared/statistics/change.ts';
import { NOT_COMPARED } from '../../shared/statistics/comparability.ts';
import { sortedDistribution } from '../../shared/statistics/exact-distribution.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import {
  ASKED_DIMENSIONS,
  type CellKey,
  type Filters,
  passesFilters,
  type TimeRange,
} from '../../shared/vocabulary/dimensions.ts';
import {
  type AnswerOf,
  Count,
  DataHash,
  FiltersSchema,
  KEY,
  MethodSchema,
  Milliseconds,
  Moment,
  object,
  orNull,
  pair,
  shape,
  TimeStatisticsSchema,
  words,
} from '../analysis/answer-schema.ts';
import { type CompareChange, changeText } from '../analysis/text/change-text.ts';
import { ENGLISH } from '../analysis/text/english.ts';
import { ASKABLE_TIMES, type AskableTime, EVERYTHING, type Selection } from '../storage/passes/asked-times.ts';
import { type BrowserValues, collectBrowserValues } from '../storage/passes/collect-browser-values.ts';
import type { Folding } from '../storage/passes/query-groups.ts';
import type { GroupedBy, RangeReader } from '../storage/passes/range-reader.ts';
import type { OpenedRange, ReadingSource } from '../storage/passes/reading-source.ts';
import { dimensions, filters, oneOf, openEnds, RANGE } from './parameters.ts';
import { toIso } from './query-context.ts';
import { checkRange } from './query-string.ts';
import { type Computed, describeMethod, foldedCells, question } from './question.ts';
import { type Folded, foldingReadings, foldSmallGroups } from './visibility/fold-small-groups.ts';
import type { ViewerRule } from './visibility/visibility.ts';
import { createVisibility } from './visibility/visibility.ts';

/** Upper bound on the values in a draw of the bootstrap; with this many an answer takes about a second. */
const MAX_DRAWN_FROM = 40_000;
const MIN_DRAWN_FROM = 300;
/** Rules out most values that were not chosen without a Map lookup. */
const LOW_BITS = 0xffff;
/** Largest groups compared; smaller ones are only counted. */
const MAX_CELLS = 100;

/** Seeds the draws, so that a comparison can be reproduced. */
const SEED = 1;

const Answer = object({
  /** That of the later period, or of the side named `after`. */
  method: MethodSchema,
  before: object({ from: Moment, to: Moment, filters: FiltersSchema, dataHash: DataHash }),
  /** Largest groups first. */
  cells: Type.Array(
    object({
      ...KEY,
      before: orNull(TimeStatisticsSchema),
      after: orNull(TimeStatisticsSchema),
      /** Milliseconds; null if the sides cannot be compared. */
      change: orNull(
        shape<CompareChange>({
          before: Milliseconds,
          after: Milliseconds,
          difference: Milliseconds,
          interval: pair,
          changed: Type.Boolean(),
          over: words(['browsers', 'samples']),
          because: orNull(words(SAMPLED_BECAUSE)),
          sharedBrowsers: Count,
          drawnFrom: pair,
        }),
      ),
      /** Why there is no change: a side was not measured, or has fewer than 30 values or 5 browsers. */
      notCompared: orNull(words(NOT_COMPARED)),
      /** The result as a sentence. */
      text: Type.String(),
    }),
  ),
  /** Smaller groups that were left out. */
  leftOut: Count,
});
/** `GET /api/v1/compare`. */
export type CompareDocument = AnswerOf<typeof Answer>;
export type CompareCell = CompareDocument['cells'][number];

interface CompareSide {
  readonly range: TimeRange;
  readonly filters: Filters;
}

export interface CompareQuery {
  /** The later side's. */
  readonly range: TimeRange;
  readonly before: CompareSide;
  readonly after: CompareSide;
  readonly by: GroupedBy['by'];
  readonly time: AskableTime;
}

export interface ComparePlan extends Omit<CompareQuery, 'range'>, ViewerRule {
  readonly seed: number;
}

export const compare = question({
  name: 'compare',
  address: '/api/v1/compare',
  description: 'Whether two ranges or two filters differ, and by how much.',
  parameters: {
    range: RANGE,
    earlier: openEnds('beforeFrom', 'beforeTo', 'What it is compared with'),
    by: dimensions(ASKED_DIMENSIONS, []),
    time: oneOf(ASKABLE_TIMES, 'ttlb', 'Which time.'),
    filters: filters(ASKED_DIMENSIONS),
    before: filters(ASKED_DIMENSIONS, 'before.'),
    after: filters(ASKED_DIMENSIONS, 'after.'),
  },
  /**
   * `from` and `to` are the later side, `beforeFrom` and `beforeTo` the earlier one: by default the same length just
   * before it, or the same range if filters distinguish the sides.
   */
  query({ range, earlier, by, time, filters, before, after }): CompareQuery {
    const byFilters = Object.keys(before).length + Object.keys(after).length > 0;
    const to = earlier.to ?? (byFilters ? range.to : range.from);
    const from = earlier.from ?? to - (range.to - range.from);
    return {
      range,
      before: {
        range: checkRange({ from, to }, 'beforeFrom is not before beforeTo'),
        filters: { ...filters, ...before },
      },
      after: { range, filters: { ...filters, ...after } },
      by,
      time,
    };
  },
  answer: Answer,
  takesLong: () => true,
  plan: async ({ before, after, by, time }, { range, rule, keptBefore }): Promise<ComparePlan> => ({
    before: { ...before, range: await keptBefore(before.range) },
    after: { ...after, range },
    by,
    time,
    ...rule,
    seed: SEED,
  }),
  asked: ({ after, by }) => ({ ...after, by }),
  read: (source, plan) => compareSides(source, plan),
});

/** Whether two sides differ, group by group. Read sample by sample, because only samples identify their browser. */
export async function compareSides(
  source: ReadingSource,
  plan: ComparePlan,
  selected: Readonly<Record<'before' | 'after', Selection>> = { before: EVERYTHING, after: EVERYTHING },
): Promise<Computed<CompareDocument>> {
  const { minGroupSize } = plan;
  const open = (name: 'before' | 'after') =>
    source.open(plan[name].range, 'fine', 1 + foldingReadings(minGroupSize), selected[name].within);
  const [opened, openedLater] = [await open('before'), await open('after')];
  const earlier = await openSide(source, plan.before, opened, selected.before, plan);
  const later = await openSide(source, plan.after, openedLater, selected.after, plan);
  // A group that one side may not show is hidden on the other too, or it would seem to have come or gone.
  const folding: Folding = {
    ids: new Set([earlier, later].flatMap(({ folded }) => [...(folded.folding?.ids ?? [])])),
    hidden: [earlier, later].some(({ folded }) => folded.folding?.hidden),
  };
  const before = await readSide(earlier, folding, plan);
  const after = await readSide(later, folding, plan);
  const ids = [...new Set([...after.keys(), ...before.keys()])];
  const sizeOf = (id: string) => (before.get(id)?.values.length ?? 0) + (after.get(id)?.values.length ?? 0);
  const shown = ids.filter((id) => sizeOf(id) > 0).sort((a, b) => sizeOf(b) - sizeOf(a) || (a < b ? -1 : 1));
  const cells = shown.slice(0, MAX_CELLS);
  const limit = Math.max(MIN_DRAWN_FROM, Math.floor(MAX_DRAWN_FROM / 2 / Math.max(1, cells.length)));
  const folded = { folding: folding.ids.size === 0 ? null : folding };
  return {
    ...(await describeMethod(later.opened, foldedCells(folded, minGroupSize))),
    exact: true,
    bound: 0,
    before: {
      from: toIso(plan.before.range.from),
      to: toIso(plan.before.range.to),
      filters: plan.before.filters,
      dataHash: (await earlier.opened.stored()).dataHash,
    },
    cells: cells.map((id) => {
      later.reader.checkpoint();
      return compareCell(before.get(id), after.get(id), limit, plan);
    }),
    leftOut: shown.length - cells.length,
  };
}

/** In ascending order, µs. */
type Sorted = ReturnType<BrowserValues['sorted']>;

interface Side {
  readonly side: CompareSide;
  readonly opened: OpenedRange;
  readonly reader: RangeReader;
  readonly folded: Folded;
}

async function openSide(
  source: ReadingSource,
  side: CompareSide,
  opened: OpenedRange,
  { change: changeRows }: Selection,
  plan: ComparePlan,
): Promise<Side> {
  const all = opened.reader();
  const asked = all.filtered(side.filters);
  const reader = changeRows === null ? asked : asked.changed(changeRows);
  const query = { by: plan.by, filters: side.filters };
  const folded = await foldSmallGroups(createVisibility(source, plan, side.range), all, query);
  return { side, opened, reader, folded };
}

async function readSide(
  { side, reader }: Side,
  folding: Folding,
  { by, time }: ComparePlan,
): Promise<ReadonlyMap<string, BrowserValues>> {
  const pass = reader.pass();
  const groups = pass.groups(by, side.filters, folding);
  const values = collectBrowserValues(pass, groups, time);
  await pass.run();
  return values();
}

function compareCell(
  before: BrowserValues | undefined,
  after: BrowserValues | undefined,
  limit: number,
  { time, seed, before: earlierSide, after: laterSide }: ComparePlan,
): CompareCell {
  const none = new Int32Array(0);
  const sorted = [before?.sorted() ?? none, after?.sorted() ?? none] as const;
  const statisticsOf = (group: BrowserValues | undefined, values: Sorted) =>
    group === undefined ? null : timeStatistics(sortedDistribution(values), group.clockStep);
  const clockStep = Math.max(before?.clockStep ?? 0, after?.clockStep ?? 0);
  const [earlier, later] = [observationsOf(before, sorted[0], limit), observationsOf(after, sorted[1], limit)];
  const key = after?.key ?? before?.key ?? {};
  const chosen = [earlierSide, laterSide].some(({ filters }) => !countsUsers(filters, key));
  const found = compareGroups(earlier, later, clockStep, seededRandom(seed), chosen);
  const drawnFrom = [earlier.length, later.length] as const;
  const sides = {
    before: statisticsOf(before, sorted[0]),
    after: statisticsOf(after, sorted[1]),
    change: found.change && { ...inMilliseconds(found.change), drawnFrom },
    notCompared: found.notCompared,
  };
  return { ...key, ...sides, text: changeText(key, time, sides, ENGLISH) };
}

/** Whether users' own requests are among those of a group: otherwise they are all of probes or recordings. */
export function countsUsers(filters: Filters, { source = 'page' }: CellKey = {}): boolean {
  return source === 'page' && passesFilters(filters, 'source', 'page');
}

/**
 * At most `limit` observations of a group, evenly spaced over all of them in order of value and browser, so that the
 * same data give the same choice however they are divided into chunks.
 */
function observationsOf(group: BrowserValues | undefined, sorted: Sorted, limit: number): Observation[] {
  if (group === undefined) return [];
  const { names, values, clients } = group;
  const { length } = sorted;
  const n = Math.min(limit, length);
  const ranks = Array.from({ length: n }, (_, i) => Math.floor(((i + 0.5) * length) / n));
  // Only the browsers of chosen values are sorted: a few thousand out of millions.
  const alike = new Map<number, number[]>();
  const chosen = new Uint8Array(LOW_BITS + 1);
  for (const rank of ranks) {
    const value = sorted[rank] as number;
    alike.set(value, []);
    chosen[value & LOW_BITS] = 1;
  }
  for (let i = 0; i < length; i++) {
    const value = values.values[i] as number;
    if (chosen[value & LOW_BITS] === 1) alike.get(value)?.push(clients.values[i] as number);
  }
  for (const own of alike.values()) own.sort((a, b) => a - b);
  return ranks.map((rank) => {
    const value = sorted[rank] as number;
    const browser = alike.get(value)?.[rank - firstOf(sorted, value)];
    return { value, browser: browser === undefined ? null : (names[browser] ?? null) };
  });
}

/** The rank of the first occurrence of this value. */
function firstOf(sorted: Sorted, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
