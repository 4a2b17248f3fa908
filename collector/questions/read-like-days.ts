import { fixedMix, type MixedDay } from '../../shared/statistics/fixed-mix.ts';
import type { AnyDimension, CellKey } from '../../shared/vocabulary/dimensions.ts';
import { comparableKinds, type Kind } from '../analysis/changes/comparable-kinds.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { collectDailyTimes, type GroupDay } from '../storage/passes/collect-daily-times.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { dailyParts } from './daily-parts.ts';
import { countingReader } from './drawn-parts.ts';
import type { ComputeMethod } from './query-context.ts';
import { describeMethod, foldedCells } from './question.ts';
import { type Folded, foldEach, foldingReadings } from './visibility/fold-small-groups.ts';
import { createVisibility, type ViewerRule } from './visibility/visibility.ts';

/** Requests of one kind are the same for the same user's place: what was asked of whom, and from where. */
const KIND = ['host', 'type', 'site', 'target', 'template'] as const satisfies readonly AnyDimension[];
/** Dimensions that a kind too rare to compare is pooled over: its sites first, then its paths as well. */
const COARSER: readonly (readonly AnyDimension[])[] = [['site'], ['site', 'template']];
/** More would take seconds; of a longer range, some hours of each day say the same. */
const MAX_ROWS = 300_000;
/** Least share of all waiting. Groups with less are not tested: were they to take twice as long, no finding would say so. */
const MIN_SHARE = 0.005;
/** Coarsest clock step of browsers, ms. */
const FLOOR_MS = 1;

export interface DailyPlan extends Pick<StoreQuery, 'range' | 'filters'>, ViewerRule {}

/** A group, day by day; null for a day without values. */
export interface DailyCell {
  readonly key: CellKey;
  readonly days: readonly (MixedDay | null)[];
  /** Its browsers, day by day; null if unknown. */
  readonly browsers: readonly (ReadonlySet<string> | undefined)[] | null;
}

export interface DailyAnswer extends ComputeMethod {
  readonly cells: readonly DailyCell[];
  readonly leftOut: { readonly cells: number; readonly samples: number };
}

/**
 * The days of each group as they would be with the same mix of requests every day, from samples.
 * Throws StoreError `samples_expired`.
 *
 * @param bounds where days begin, and where the last one ends: ascending epoch ms
 * @param top groups of each grouping, those waited for longest
 */
export async function readLikeDays(
  source: ReadingSource,
  plan: DailyPlan,
  groupings: readonly (readonly AnyDimension[])[],
  bounds: readonly number[],
  top: number,
): Promise<DailyAnswer[]> {
  const { range, filters, minGroupSize } = plan;
  const sketched = await source.open(range, 'sketches');
  const stored = await sketched.stored();
  const within = dailyParts(bounds, stored.samples, MAX_ROWS);
  const all = (await source.open(range, 'fine', 1 + foldingReadings(minGroupSize), within)).reader();
  const visibility = createVisibility(source, plan, range);
  const folded = await foldEach(
    visibility,
    all,
    groupings.map((by) => ({ by, filters })),
  );
  const counting = countingReader(all);
  const pass = counting.reader.filtered(filters).pass();
  const kinds = pass.groups(KIND, filters);
  const take = collectDailyTimes(pass, kinds, bounds, minGroupSize > 1 ? visibility.counts : () => true);
  await pass.run();
  const times = take();
  const nameOf = namesOf(kinds.keys);
  const totals = times.map((own) => ({
    samples: own.reduce((sum, { sorted }) => sum + sorted.length, 0),
    waitedMs: own.reduce((sum, { sorted }) => sum + sorted.reduce((ms, one) => ms + one, 0), 0),
  }));
  const read = counting.read();
  const scale = within === null || read === 0 ? 1 : stored.samples / read;
  const method = await describeMethod(sketched, null, within === null);
  return groupings.map((by, i) => {
    source.checkpoint();
    const own = folded[i] as Folded;
    const { shown, leftOut } = topOf(membersOf({ keys: kinds.keys, times, totals, nameOf }, by, own), top);
    const cells = shown.map(({ key, members, browsers }): DailyCell => {
      source.checkpoint();
      const days = bounds.length - 1;
      const mixed = fixedMix(comparableKinds(members, days), days, FLOOR_MS);
      const isShown = (day: number) => minGroupSize <= 1 || (browsers[day]?.size ?? 0) >= minGroupSize;
      return {
        key,
        browsers,
        days: mixed.map((of, day) => (of !== null && isShown(day) ? { ...of, n: Math.round(of.n * scale) } : null)),
      };
    });
    return {
      ...method,
      folded: foldedCells(own, minGroupSize),
      cells,
      leftOut: { cells: leftOut.cells, samples: Math.round(leftOut.samples * scale) },
    };
  });
}

interface Group {
  readonly key: CellKey;
  readonly members: Kind[];
  /** One set for each day. */
  readonly browsers: Set<string>[];
  waitedMs: number;
  samples: number;
}

interface Totals {
  readonly samples: number;
  readonly waitedMs: number;
}

interface ReadKinds {
  readonly keys: readonly CellKey[];
  readonly times: readonly (readonly GroupDay[])[];
  readonly totals: readonly Totals[];
  /** The name of a kind, by its index, without some dimensions. */
  readonly nameOf: (index: number, without: readonly AnyDimension[]) => string;
}

/** There may be tens of thousands of kinds, and every grouping asks for their names. */
function namesOf(keys: readonly CellKey[]): ReadKinds['nameOf'] {
  const known = new Map<string, string[]>();
  return (index, without) => {
    const list = without.join();
    const names =
      known.get(list) ??
      keys.map((of) =>
        groupId(KIND.map((dimension) => (without.includes(dimension) ? null : (of[dimension] ?? null)))),
      );
    known.set(list, names);
    return names[index] as string;
  };
}

/** Each group's kinds of requests, without groups of too few browsers. */
function membersOf(
  { keys, times, totals, nameOf }: ReadKinds,
  by: readonly AnyDimension[],
  { folding }: Folded,
): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, of] of keys.entries()) {
    const values = by.map((dimension) => of[dimension] ?? null);
    const id = groupId(values);
    if (folding?.ids.has(id) === true) continue;
    const days = times[index] as readonly GroupDay[];
    const group: Group = groups.get(id) ?? {
      key: Object.fromEntries(by.map((dimension, i) => [dimension, values[i] ?? null])),
      members: [],
      browsers: [],
      waitedMs: 0,
      samples: 0,
    };
    groups.set(id, group);
    const coarser = COARSER.map((without) => without.filter((dimension) => !by.includes(dimension)));
    group.members.push({ names: [[], ...coarser].map((without) => nameOf(index, without)), days });
    const total = totals[index] as Totals;
    group.samples += total.samples;
    group.waitedMs += total.waitedMs;
    for (const { day, browsers } of days) {
      if (browsers.size === 0) continue;
      const own = group.browsers[day] ?? new Set();
      group.browsers[day] = own;
      for (const client of browsers) own.add(client);
    }
  }
  return [...groups.values()];
}

function topOf(groups: readonly Group[], top: number) {
  const sorted = groups.filter(({ samples }) => samples > 0).sort((a, b) => b.waitedMs - a.waitedMs);
  const all = sorted.reduce((sum, { waitedMs }) => sum + waitedMs, 0);
  const shown = sorted.slice(0, top).filter(({ waitedMs }) => waitedMs >= MIN_SHARE * all);
  const left = sorted.slice(shown.length);
  return {
    shown,
    leftOut: { cells: left.length, samples: left.reduce((sum, { samples }) => sum + samples, 0) },
  };
}
