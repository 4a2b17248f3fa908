import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { onceEach } from '../chunk/once.ts';
import type { BucketRollup } from './bucket-rollup.ts';
import type { CellCatalog } from './cell-catalog.ts';
import { cellsOf } from './cell-dimensions.ts';
import type { CellRollup } from './cell-rollup.ts';
import { codesOf, divideGroups, type RowGroups } from './combine-codes.ts';
import { MEASURE_NAMES, MEASURES, measureRows } from './measures.ts';
import { countersOf } from './row-counters.ts';
import { addRow, rowHashes } from './row-digest.ts';
import { type SortedRows, sortRows } from './sort-rows.ts';

/**
 * Adds rows to the buckets they belong to.
 * @param bucketOf of an `at`; buckets that it calls null are left out
 * @param bucketAt the bucket that was asked for, made if need be
 */
export function rollUp(
  columns: SampleColumns,
  catalog: CellCatalog,
  bucketOf: (at: number) => number | null,
  bucketAt: (bucket: number) => BucketRollup,
): void {
  const { n } = columns;
  const buckets = codesOf(columns.at().map((at) => bucketOf(at) ?? NO_BUCKET));
  const open = buckets.entries.map((bucket) => (bucket === NO_BUCKET ? null : bucketAt(bucket)));
  const cells = cellsOf(columns, catalog);
  const slots = divideGroups(cells, buckets.codes, buckets.entries.length);
  // Where each slot's rows go: null where the bucket is left out.
  const places = slots.first.map((row): CellRollup | null => {
    const bucket = open[buckets.codes[row] as number] ?? null;
    return bucket === null ? null : bucket.cell(cells.ids[cells.codes[row] as number] as number);
  });

  const measures = measureRows(columns, () => roomFor(n));
  const bySlot = onceEach((rows: Int32Array) => sortRows(rows, slots.codes, places.length));
  for (const name of MEASURE_NAMES)
    addMeasure(MEASURES[name], measures.values(name), bySlot(measures.rows(name)), places);

  const counters = countersOf(columns, measures);
  const profiles = counters.names.map((names) => names.map((name) => catalog.wordId('counter', name)));
  const kinds = divideGroups(slots, counters.codes, counters.names.length);
  const inKind = rowsPerGroup(kinds);
  kinds.first.forEach((row, kind) => {
    const profile = profiles[counters.codes[row] as number] ?? [];
    places[slots.codes[row] as number]?.count(profile, inKind[kind] as number);
  });

  const clients = columns.origins.map(({ client }) => catalog.wordId('client', client));
  const origin = columns.origin();
  const all = sortRows(
    slots.codes.map((_, row) => row),
    slots.codes,
    places.length,
  );
  places.forEach((cell, slot) => {
    if (cell === null) return;
    for (let i = all.starts[slot] as number; i < (all.starts[slot + 1] as number); i++) {
      cell.saw(clients[origin[all.rows[i] as number] as number] as number);
    }
  });

  const hashes = rowHashes(columns);
  for (let row = 0; row < n; row++) {
    const bucket = open[buckets.codes[row] as number];
    if (bucket) addRow(bucket.digest, hashes, row);
  }
}

const NO_BUCKET = -1;

/** One measure is added before the next is asked for, so all may be written to the same place. */
let room = new Float64Array(0);

function roomFor(n: number): Float64Array {
  if (room.length < n) room = new Float64Array(n);
  return room.subarray(0, n);
}

function rowsPerGroup({ codes, first }: RowGroups): Int32Array {
  const counts = new Int32Array(first.length);
  for (let row = 0; row < codes.length; row++) {
    const group = codes[row] as number;
    counts[group] = (counts[group] as number) + 1;
  }
  return counts;
}

function addMeasure(
  measure: number,
  values: Float64Array,
  { rows, starts }: SortedRows,
  places: readonly (CellRollup | null)[],
): void {
  for (let slot = 0; slot < places.length; slot++) {
    const to = starts[slot + 1] as number;
    let from = starts[slot] as number;
    while (from < to && Number.isNaN(values[rows[from] as number])) from++;
    // Without a value, no cell: an empty one would be stored.
    if (from < to) places[slot]?.valuesOf(measure).addRows(values, rows, from, to);
  }
}
