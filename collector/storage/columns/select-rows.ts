import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { once, onceEach } from '../../lib/once.ts';

/** Some rows, in the given order; each column is copied on first access. */
export function pickRows(columns: SampleColumns, rows: Int32Array): SampleColumns {
  const wide = (source: Float64Array) => {
    const picked = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = source[rows[i] as number] as number;
    return picked;
  };
  const codes = (source: Int32Array) => {
    const picked = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = source[rows[i] as number] as number;
    return picked;
  };
  return {
    n: rows.length,
    at: once(() => wide(columns.at())),
    get origins() {
      return columns.origins;
    },
    origin: once(() => codes(columns.origin())),
    text: onceEach((name: TextName) => {
      const text = columns.text(name);
      return { strings: text.strings, codes: codes(text.codes) };
    }),
    number: onceEach((name: NumberName) => wide(columns.number(name))),
    get metricNames() {
      return columns.metricNames;
    },
    metric: onceEach((name: string) => wide(columns.metric(name))),
  };
}

/** Rows that keep what was read of them and nothing else. */
export interface KeptRows extends SampleColumns {
  /** Releases the source; a column that was not read yet is then read from `again`. */
  release(): void;
}

/** Some rows, in the given order; each column is copied on first access. */
export function keepRows(columns: SampleColumns, rows: Int32Array, again: () => SampleColumns): KeptRows {
  let source: SampleColumns | null = columns;
  const read = <T>(of: (picked: SampleColumns) => T): T => of(pickRows(source ?? again(), rows));
  const origins = once(() => read((picked) => picked.origins));
  const metricNames = once(() => read((picked) => picked.metricNames));
  return {
    n: rows.length,
    at: once(() => read((picked) => picked.at())),
    get origins() {
      return origins();
    },
    origin: once(() => read((picked) => picked.origin())),
    text: onceEach((name: TextName) => read((picked) => picked.text(name))),
    number: onceEach((name: NumberName) => read((picked) => picked.number(name))),
    get metricNames() {
      return metricNames();
    },
    metric: onceEach((name: string) => read((picked) => picked.metric(name))),
    release() {
      source = null;
    },
  };
}

/** The columns that will be read, so that no other has to be decoded. */
export interface ColumnNames {
  readonly texts: readonly TextName[];
  readonly numbers: readonly NumberName[];
}

/**
 * Like `pickRows`, but copies at once and releases the source. Has `at`, the origins and the named columns; any other column
 * throws a RangeError.
 */
export function copyRows(columns: SampleColumns, rows: Int32Array, { texts, numbers }: ColumnNames): SampleColumns {
  const picked = pickRows(columns, rows);
  return copiedColumns({
    n: picked.n,
    origins: picked.origins,
    at: picked.at(),
    origin: picked.origin(),
    texts: new Map(texts.map((name) => [name, picked.text(name)])),
    numbers: new Map(numbers.map((name) => [name, picked.number(name)])),
  });
}

interface Copied extends Pick<SampleColumns, 'n' | 'origins'> {
  readonly at: Float64Array;
  readonly origin: Int32Array;
  readonly texts: ReadonlyMap<TextName, TextColumn>;
  readonly numbers: ReadonlyMap<NumberName, Float64Array>;
}

/** A separate function: a closure keeps its whole scope alive, here the source of the copy. */
function copiedColumns({ at, origin, texts, numbers, ...rest }: Copied): SampleColumns {
  return {
    ...rest,
    at: () => at,
    origin: () => origin,
    text: (name) => copied(texts, name),
    number: (name) => copied(numbers, name),
    metricNames: [],
    metric: (name) => copied(new Map<string, Float64Array>(), name),
  };
}

function copied<K extends string, T>(columns: ReadonlyMap<K, T>, name: K): T {
  const found = columns.get(name);
  if (found === undefined) throw new RangeError(`The column ${name} was not copied.`);
  return found;
}

/**
 * The shortest run of rows that holds all rows inside one of the ranges; null if there are none. Merged chunks are sorted by
 * time, so the edge of a range costs only its own rows.
 */
export function sliceColumns(columns: SampleColumns, ranges: readonly TimeRange[]): SampleColumns | null {
  const inside = isInside(columns, ranges);
  let first = 0;
  while (first < columns.n && !inside(first)) first++;
  if (first === columns.n) return null;
  let end = columns.n;
  while (!inside(end - 1)) end--;
  if (first === 0 && end === columns.n) return columns;
  return {
    n: end - first,
    at: () => columns.at().subarray(first, end),
    get origins() {
      return columns.origins;
    },
    origin: () => columns.origin().subarray(first, end),
    text(name) {
      const { strings, codes } = columns.text(name);
      return { strings, codes: codes.subarray(first, end) };
    },
    number: (name) => columns.number(name).subarray(first, end),
    get metricNames() {
      return columns.metricNames;
    },
    metric: (name) => columns.metric(name).subarray(first, end),
  };
}

/** The rows inside one of the ranges. */
export function rowsInside(columns: SampleColumns, ranges: readonly TimeRange[]): Int32Array {
  const inside = isInside(columns, ranges);
  return Int32Array.from({ length: columns.n }, (_, row) => (inside(row) ? row : -1)).filter((row) => row >= 0);
}

function isInside(columns: SampleColumns, ranges: readonly TimeRange[]): (row: number) => boolean {
  const at = columns.at();
  return (row) => {
    const time = at[row] as number;
    for (const { from, to } of ranges) if (time >= from && time < to) return true;
    return false;
  };
}
