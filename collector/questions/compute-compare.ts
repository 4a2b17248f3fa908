import { change, inMilliseconds, type Observation } from '../../shared/statistics/change.ts';
import { sortedDistribution } from '../../shared/statistics/exact-distribution.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import type { CellKey, Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { CompareCell } from '../analysis/documents/answers.ts';
import { changeText } from '../analysis/text/change-text.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { dimensionColumn } from '../storage/passes/dimension-column.ts';
import { createQueryGroups, type Folding } from '../storage/passes/query-groups.ts';
import { sortedCopy } from '../storage/passes/radix-sort.ts';
import { createRangeReader, type GroupedBy, type RangeReader } from '../storage/passes/range-reader.ts';
import type { OpenedRange, ReadingSource } from '../storage/passes/reading-source.ts';
import { type IntegerArray, WholeValues } from '../storage/rollups/integer-list.ts';
import { type ComputeMethod, foldedCells, methodOf } from './compute-method.ts';
import { type AskableTime, rowTimes } from './row-times.ts';
import { EVERYTHING, type Selection } from './selection.ts';
import { type Folded, foldingReadings, foldSmallGroups } from './viewer/fold-small-groups.ts';
import type { FoldRule } from './viewer/small-groups.ts';
import { createViewer } from './viewer/viewer.ts';

/** Each draw of the bootstrap looks at all of them; with this many an answer takes about a second. */
const MAX_DRAWN_FROM = 40_000;
const MIN_DRAWN_FROM = 300;
/** Tells most values that were not chosen without looking them up. */
const LOW_BITS = 0xffff;
/** Groups compared at most, the largest ones. */
const MAX_CELLS = 100;

export interface CompareSide {
  readonly range: TimeRange;
  readonly filters: Filters;
}

export interface CompareQuestion extends FoldRule {
  readonly before: CompareSide;
  readonly after: CompareSide;
  readonly by: GroupedBy['by'];
  readonly time: AskableTime;
  readonly seed: number;
}

export interface CompareAnswer extends ComputeMethod {
  readonly beforeHash: string;
  readonly cells: readonly CompareCell[];
  readonly leftOut: number;
}

interface Group {
  readonly key: CellKey;
  /** µs, and beside each the place of its browser in `names`. */
  readonly values: WholeValues;
  readonly clients: WholeValues;
  /** Of the browsers of this side, in order. */
  readonly names: readonly string[];
  readonly clockStep: number | null;
}

/** Whether two sides differ, group by group. Read sample by sample: only samples know their browser. */
export function computeCompare(
  source: ReadingSource,
  question: CompareQuestion,
  selected: Readonly<Record<'before' | 'after', Selection>> = { before: EVERYTHING, after: EVERYTHING },
): CompareAnswer {
  const { foldBelow } = question;
  const open = (name: 'before' | 'after') =>
    source.open(question[name].range, 'fine', 1 + foldingReadings(foldBelow), selected[name].within);
  const [opened, openedLater] = [open('before'), open('after')];
  const earlier = openSide(source, question.before, opened, selected.before, question);
  const later = openSide(source, question.after, openedLater, selected.after, question);
  // A group that one side may not show is not shown by the other either, or it would seem to have come or gone.
  const folding: Folding = {
    ids: new Set([earlier, later].flatMap(({ folded }) => [...(folded.folding?.ids ?? [])])),
    hidden: [earlier, later].some(({ folded }) => folded.folding?.hidden),
  };
  const before = readSide(source, earlier, folding, question);
  const after = readSide(source, later, folding, question);
  const ids = [...new Set([...after.keys(), ...before.keys()])];
  const sizeOf = (id: string) => (before.get(id)?.values.length ?? 0) + (after.get(id)?.values.length ?? 0);
  const shown = ids.filter((id) => sizeOf(id) > 0).sort((a, b) => sizeOf(b) - sizeOf(a) || (a < b ? -1 : 1));
  const cells = shown.slice(0, MAX_CELLS);
  const room = Math.max(MIN_DRAWN_FROM, Math.floor(MAX_DRAWN_FROM / 2 / Math.max(1, cells.length)));
  const folded = { folding: folding.ids.size === 0 ? null : folding };
  return {
    ...methodOf(later.opened, foldedCells(folded, foldBelow)),
    exact: true,
    bound: 0,
    beforeHash: earlier.opened.dataHash,
    cells: cells.map((id) => {
      later.reader.checkpoint();
      return cellOf(before.get(id), after.get(id), room, question);
    }),
    leftOut: shown.length - cells.length,
  };
}

interface Side {
  readonly side: CompareSide;
  readonly opened: OpenedRange;
  readonly reader: RangeReader;
  readonly folded: Folded;
}

function openSide(
  source: ReadingSource,
  side: CompareSide,
  opened: OpenedRange,
  { change: changeRows }: Selection,
  question: CompareQuestion,
): Side {
  const all = createRangeReader(opened, source.catalog, true);
  const asked = all.filtered(side.filters);
  const reader = changeRows === null ? asked : asked.changed(changeRows);
  const query = { by: question.by, filters: side.filters };
  const folded = foldSmallGroups(createViewer(source, question, side.range), all, query);
  return { side, opened, reader, folded };
}

function readSide(
  source: ReadingSource,
  { side, reader }: Side,
  folding: Folding,
  { by, time }: CompareQuestion,
): Map<string, Group> {
  const numbers = createQueryGroups(by, side.filters, source.catalog, folding);
  const lists: { values: WholeValues; clients: WholeValues; clockStep: number | null }[] = [];
  const names: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (client: string) => {
    const known = places.get(client) ?? names.push(client) - 1;
    places.set(client, known);
    return known;
  };
  const pass = reader.pass();
  pass.rows((part) => {
    if (!numbers.hasRows(part)) return;
    const groupOf = numbers.groupsOfRows(part);
    const { codes, strings: words } = dimensionColumn(part.columns, 'client');
    const own = Int32Array.from(words, placeOf);
    const origin = part.columns.origin();
    const clocks = part.columns.origins.map(({ clockStep }) => clockStep);
    for (const column of rowTimes(part, time)) {
      for (let row = 0; row < column.length; row++) {
        const value = column[row] as number;
        const group = groupOf[row] as number;
        if (group < 0 || Number.isNaN(value)) continue;
        while (lists.length <= group) {
          lists.push({ values: new WholeValues(), clients: new WholeValues(), clockStep: null });
        }
        const list = lists[group] as (typeof lists)[number];
        list.values.add(value);
        list.clients.add(own[codes[row] as number] as number);
        const step = clocks[origin[row] as number] as number;
        if (list.clockStep === null || step > list.clockStep) list.clockStep = step;
      }
    }
  });
  pass.run();
  // Numbered in the order of their names, so that it does not matter in which order they were met.
  const order = names.map((_, place) => place).sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1));
  const rank = new Int32Array(names.length);
  order.forEach((place, at) => {
    rank[place] = at;
  });
  const sorted = order.map((place) => names[place] ?? '');
  for (const { clients } of lists) {
    for (let i = 0; i < clients.length; i++) clients.values[i] = rank[clients.values[i] as number] as number;
  }
  return new Map(
    numbers.keys.map((key, group): [string, Group] => [
      groupId(Object.values(key)),
      {
        key,
        values: lists[group]?.values ?? new WholeValues(),
        clients: lists[group]?.clients ?? new WholeValues(),
        names: sorted,
        clockStep: lists[group]?.clockStep ?? null,
      },
    ]),
  );
}

function cellOf(
  before: Group | undefined,
  after: Group | undefined,
  room: number,
  { time, seed }: CompareQuestion,
): CompareCell {
  const sorted = [before, after].map((group) =>
    group === undefined ? new Int32Array(0) : sortedCopy([group.values.values.subarray(0, group.values.length)]),
  ) as [IntegerArray, IntegerArray];
  const statisticsOf = (group: Group | undefined, values: IntegerArray) =>
    group === undefined ? null : timeStatistics(sortedDistribution(values), group.clockStep);
  const clockStep = Math.max(before?.clockStep ?? 0, after?.clockStep ?? 0);
  const [earlier, later] = [observationsOf(before, sorted[0], room), observationsOf(after, sorted[1], room)];
  const found = change(earlier, later, clockStep, seededRandom(seed));
  const inMs = found === null ? null : { ...inMilliseconds(found), drawnFrom: [earlier.length, later.length] as const };
  const key = after?.key ?? before?.key ?? {};
  const sides = { before: statisticsOf(before, sorted[0]), after: statisticsOf(after, sorted[1]) };
  return { ...key, ...sides, change: inMs, text: changeText(key, time, { ...sides, change: inMs }) };
}

/**
 * At most `room` of a group, evenly chosen from all in order of value and browser: the same data give the same choice,
 * in whatever chunks they lie.
 */
function observationsOf(group: Group | undefined, sorted: IntegerArray, room: number): Observation[] {
  if (group === undefined) return [];
  const { names, values, clients } = group;
  const { length } = sorted;
  const n = Math.min(room, length);
  const ranks = Array.from({ length: n }, (_, i) => Math.floor(((i + 0.5) * length) / n));
  // Only the browsers of values that were chosen are put in order: a few thousand of millions.
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

/** The rank of the first of this value. */
function firstOf(sorted: IntegerArray, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
