import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { onceEach } from '../../lib/once.ts';
import { combineCodes, divideGroups } from '../../reductions/combine-codes.ts';
import { type BufferPool, FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import { BucketRollup } from './bucket-rollup.ts';
import type { CellCatalog } from './cell-catalog.ts';
import { bucketAt } from './resolutions.ts';
import { toRowCells } from './row-cells.ts';
import { countRows, type RowCounters } from './row-counters.ts';
import { addDigest, type Digest, rowHashes, sumHashes } from './row-digest.ts';
import { CLIENTS, COUNTS, rowMetrics, TIME_METRIC_NAMES, TIME_METRICS } from './time-metrics.ts';

/**
 * Adds rows to the hours they belong to.
 * @param hourAt returns an hour, creating it if necessary; null ignores its rows
 * @param pool for intermediate columns
 */
export function rollUp(
  columns: SampleColumns,
  catalog: CellCatalog,
  hourAt: (hour: number) => BucketRollup | null,
  pool = FRESH_BUFFERS,
): void {
  const { n } = columns;
  const hours = combineCodes(hoursOf(columns.at(), pool), pool.codes('hour of row', n));
  const open = hours.entries.map(hourAt);
  const cells = toRowCells(columns, catalog, pool);
  const slots = divideGroups(cells, hours.codes, hours.entries.length, pool.codes('slot of row', n));
  // The hour that each slot's rows go to; null if it is ignored.
  const targets = slots.first.map((row): Target => {
    const hour = open[hours.codes[row] as number] ?? null;
    return { hour, index: hour?.indexOf(cells.ids[cells.codes[row] as number] as number) ?? -1 };
  });

  const metrics = rowMetrics(columns, pool);
  const bySlot = onceEach((rows: Int32Array) => sortRows(rows, slots.codes, targets.length));
  for (const name of TIME_METRIC_NAMES)
    addMeasure(TIME_METRICS[name], metrics.values(name), bySlot(metrics.rows(name)), targets);
  const counters = countRows(columns, metrics, pool);
  addCounts(columns, catalog, counters, sortRows(everyRow(n), slots.codes, targets.length), targets);

  const sums = sumHashes(rowHashes(columns, pool), hours.codes, open.length);
  open.forEach((hour, code) => {
    if (hour !== null) addDigest(hour.digest, sums[code] as Digest);
  });
}

function hoursOf(at: Float64Array, pool: BufferPool): Float64Array {
  const hours = pool.numbers('hour of row', at.length);
  for (let row = 0; row < at.length; row++) hours[row] = bucketAt('hour', at[row] as number);
  return hours;
}

function everyRow(n: number): Int32Array {
  const rows = new Int32Array(n);
  for (let row = 0; row < n; row++) rows[row] = row;
  return rows;
}

interface Target {
  readonly hour: BucketRollup | null;
  readonly index: number;
}

/** Values of one slot. */
let run = new Float64Array(0);

function addMeasure(
  metric: number,
  values: Float64Array,
  { rows, starts }: SortedRows,
  targets: readonly Target[],
): void {
  if (run.length < rows.length) run = new Float64Array(rows.length);
  for (let slot = 0; slot < targets.length; slot++) {
    const { hour, index } = targets[slot] as Target;
    if (hour === null) continue;
    const end = starts[slot + 1] as number;
    let found = 0;
    for (let i = starts[slot] as number; i < end; i++) {
      const value = values[rows[i] as number] as number;
      if (!Number.isNaN(value)) run[found++] = value;
    }
    // A cell without values must not be stored.
    if (found > 0) hour.sketches(metric).add(index, run, found);
  }
}

/** Counts how often each counter was raised and each browser seen. */
function addCounts(
  columns: SampleColumns,
  catalog: CellCatalog,
  kinds: RowCounters,
  { rows, starts }: SortedRows,
  targets: readonly Target[],
): void {
  const counters = kinds.names.map((names) => names.map((name) => catalog.stringId('counter', name)));
  const origin = columns.origin();
  const lastDays = lastDayOf(columns);
  const clients = columns.origins.map(({ client }, index) =>
    catalog.clients.numberOf(client, lastDays[index] as number),
  );
  const kindsSeen = new Tally(counters.length);
  const originsSeen = new Tally(clients.length);
  for (let slot = 0; slot < targets.length; slot++) {
    const { hour, index } = targets[slot] as Target;
    if (hour === null) continue;
    for (let i = starts[slot] as number; i < (starts[slot + 1] as number); i++) {
      const row = rows[i] as number;
      kindsSeen.add(kinds.codes[row] as number);
      originsSeen.add(origin[row] as number);
    }
    kindsSeen.drain((kind, times) => {
      for (const counter of counters[kind] ?? []) hour.raise(COUNTS, index, counter, times);
    });
    originsSeen.drain((client, times) => hour.raise(CLIENTS, index, clients[client] as number, times));
  }
}

/** The newest day with rows of each origin. */
function lastDayOf(columns: SampleColumns): Int32Array {
  const at = columns.at();
  const origin = columns.origin();
  const days = new Int32Array(columns.origins.length);
  for (let row = 0; row < columns.n; row++) {
    const index = origin[row] as number;
    const day = bucketAt('day', at[row] as number);
    if (day > (days[index] as number)) days[index] = day;
  }
  return days;
}

/** Rows ordered by group, ascending within each group. */
export interface SortedRows {
  readonly rows: Int32Array;
  /** Group g has `rows` from `starts[g]` up to `starts[g + 1]`. */
  readonly starts: Int32Array;
}

/**
 * Counting sort. The state of a group is then touched once for all of its rows instead of once per row: with thousands of
 * cells of a few kilobytes each, cache misses dominate the time of a rollup.
 *
 * @param rows the rows to sort
 * @param codes the group of every row
 * @param sorted receives them
 */
export function sortRows(
  rows: Int32Array,
  codes: Int32Array,
  groups: number,
  sorted: Int32Array = new Int32Array(rows.length),
): SortedRows {
  const starts = new Int32Array(groups + 1);
  for (let i = 0; i < rows.length; i++) {
    const after = (codes[rows[i] as number] as number) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let group = 0; group < groups; group++) {
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
  }
  const next = starts.slice();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const group = codes[row] as number;
    const index = next[group] as number;
    sorted[index] = row;
    next[group] = index + 1;
  }
  return { rows: sorted, starts };
}

/** Counts small whole numbers, without the lookups of a map. */
export class Tally {
  private readonly counts: Int32Array;
  private readonly seen: Int32Array;
  private distinct = 0;

  /** @param size an upper bound on the numbers */
  constructor(size: number) {
    this.counts = new Int32Array(size);
    this.seen = new Int32Array(size);
  }

  add(number: number): void {
    const before = this.counts[number] as number;
    if (before === 0) this.seen[this.distinct++] = number;
    this.counts[number] = before + 1;
  }

  /** Visits each counted number and resets the counts. */
  drain(visit: (number: number, times: number) => void): void {
    for (let i = 0; i < this.distinct; i++) {
      const number = this.seen[i] as number;
      visit(number, this.counts[number] as number);
      this.counts[number] = 0;
    }
    this.distinct = 0;
  }
}

/** Rebuilds the hours from `first` up to `end` from samples. Hours without samples are absent. */
export function rebuildHours(
  chunks: Iterable<SampleColumns>,
  first: number,
  end: number,
  catalog: CellCatalog,
): Map<number, BucketRollup> {
  const hours = new Map<number, BucketRollup>();
  const hourAt = (hour: number): BucketRollup | null => {
    if (hour < first || hour >= end) return null;
    const open = hours.get(hour) ?? new BucketRollup();
    hours.set(hour, open);
    return open;
  };
  for (const columns of chunks) rollUp(columns, catalog, hourAt);
  return hours;
}
