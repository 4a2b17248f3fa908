import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { CellValues } from '../pack/cell-values.ts';
import { type Counts, encodeCountPack, visitCountPack } from '../pack/count-pack.ts';
import { encodeSketchPack, mergeIntoCells } from '../pack/value-pack.ts';
import type { CellCatalog } from './cell-catalog.ts';
import { cellsOf } from './cell-dimensions.ts';
import { codesOf, divideGroups, type oneGroup } from './combine-codes.ts';
import { CLIENTS, COUNTS, MEASURE_NAMES, MEASURES, measureRows } from './measures.ts';
import { countersOf } from './row-counters.ts';
import { addRow, type Digest, rowHashes } from './row-digest.ts';

/** One pack of one bucket, by the number of its measure. */
export interface MeasurePack {
  readonly measure: number;
  readonly bytes: Uint8Array;
}

/** Everything a rollup knows of one bucket of time, while it is being made. */
export interface BucketRollup {
  readonly digest: Digest;
  /** Adds packs that were made before. */
  addPack(pack: MeasurePack): void;
  /** In order of measures; measures nobody has are left out. */
  packs(): MeasurePack[];
}

interface OpenBucket extends BucketRollup {
  countsOf(measure: typeof COUNTS | typeof CLIENTS, cell: number): Counts;
  valuesOf(measure: number, cell: number): CellValues;
}

export function createBucketRollup(): BucketRollup {
  return openBucket();
}

/**
 * Adds rows to the buckets they belong to.
 * @param bucketOf of an `at`; buckets that it calls null are left out
 * @param bucketAt the bucket that was asked for, made if need be by `createBucketRollup`
 */
export function rollUp(
  columns: SampleColumns,
  catalog: CellCatalog,
  bucketOf: (at: number) => number | null,
  bucketAt: (bucket: number) => BucketRollup,
): void {
  const numbers = new Float64Array(columns.n);
  const at = columns.at();
  for (let row = 0; row < columns.n; row++) numbers[row] = bucketOf(at[row] as number) ?? -1;
  const buckets = codesOf(numbers);
  const open = buckets.entries.map((bucket) => (bucket < 0 ? null : (bucketAt(bucket) as OpenBucket)));
  const cells = cellsOf(columns);
  const cellIds = cells.words.map((words) => catalog.cellId(words));
  const slots = divideGroups({ codes: cells.codes, first: cells.first }, buckets.codes, buckets.entries.length);
  const places = slots.first.map((row) => ({
    bucket: open[buckets.codes[row] as number] ?? null,
    cell: cellIds[cells.codes[row] as number] as number,
  }));
  const measures = measureRows(columns);

  for (const name of MEASURE_NAMES) {
    const values = measures.values(name);
    const into: (CellValues | undefined)[] = new Array(places.length);
    const rows = measures.rows(name);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const value = values[row] as number;
      if (Number.isNaN(value)) continue;
      const slot = slots.codes[row] as number;
      let cell = into[slot];
      if (cell === undefined) {
        const place = places[slot];
        cell = place?.bucket?.valuesOf(MEASURES[name], place.cell) ?? new CellValues();
        into[slot] = cell;
      }
      cell.add(value);
    }
  }

  const counters = countersOf(columns, measures);
  const profiles = counters.names.map((names) => names.map((name) => catalog.wordId('counter', name)));
  countRows(divideGroups(slots, counters.codes, profiles.length), (row, count) => {
    const { bucket, cell } = places[slots.codes[row] as number] ?? {};
    const counts = bucket?.countsOf(COUNTS, cell as number);
    for (const counter of profiles[counters.codes[row] as number] ?? []) raise(counts, counter, count);
  });

  const clients = columns.origins.map(({ client }) => catalog.wordId('client', client));
  countRows(divideGroups(slots, columns.origin(), clients.length), (row, count) => {
    const { bucket, cell } = places[slots.codes[row] as number] ?? {};
    raise(bucket?.countsOf(CLIENTS, cell as number), clients[columns.origin()[row] as number] as number, count);
  });

  const hashes = rowHashes(columns);
  for (let row = 0; row < columns.n; row++) {
    const bucket = open[buckets.codes[row] as number];
    if (bucket) addRow(bucket.digest, hashes, row);
  }
}

function openBucket(): OpenBucket {
  const counts = [new Map<number, Counts>(), new Map<number, Counts>()] as const;
  const values = new Map<number, Map<number, CellValues>>();
  const digest: Digest = { n: 0, a: 0, b: 0 };

  function countsOf(measure: typeof COUNTS | typeof CLIENTS, cell: number): Counts {
    return entryOf(counts[measure], cell, () => new Map<number, number>());
  }

  function valuesOf(measure: number, cell: number): CellValues {
    const cells = entryOf(values, measure, () => new Map<number, CellValues>());
    return entryOf(cells, cell, () => new CellValues());
  }

  return {
    digest,
    countsOf,
    valuesOf,
    addPack({ measure, bytes }) {
      if (measure === COUNTS || measure === CLIENTS) {
        visitCountPack(
          bytes,
          () => true,
          (cell, counter, count) => raise(countsOf(measure, cell), counter, count),
        );
      } else mergeIntoCells(bytes, (cell) => valuesOf(measure, cell));
    },
    packs() {
      const packs = [COUNTS, CLIENTS].flatMap((measure) => {
        const cells = counts[measure as 0 | 1];
        return cells.size === 0 ? [] : [{ measure, bytes: encodeCountPack(cells) }];
      });
      const measured = [...values].sort(([a], [b]) => a - b);
      return [...packs, ...measured.map(([measure, cells]) => ({ measure, bytes: encodeSketchPack(cells) }))];
    },
  };
}

/** How many rows each group has, told once a group. */
function countRows({ codes, first }: ReturnType<typeof oneGroup>, tell: (row: number, count: number) => void): void {
  const counts = new Int32Array(first.length);
  for (const group of codes) counts[group] = (counts[group] as number) + 1;
  first.forEach((row, group) => {
    tell(row, counts[group] as number);
  });
}

function raise(counts: Counts | undefined, counter: number, by: number): void {
  counts?.set(counter, (counts.get(counter) ?? 0) + by);
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = make();
    map.set(key, entry);
  }
  return entry;
}
