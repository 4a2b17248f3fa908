import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { NULL } from '../../../shared/sample/sample-columns.ts';
import { DictionaryBuilder } from './dictionary-builder.ts';
import { originKey } from './group-origins.ts';
import { once, onceEach } from './once.ts';

/** Some rows of some columns. */
export interface RowSelection {
  readonly columns: SampleColumns;
  /** Ascending or not; null takes all. */
  readonly rows: Int32Array | null;
}

/** The selected rows of all parts as one, oldest first; equal times keep the order of the parts. */
export function mergeColumns(parts: readonly RowSelection[]): SampleColumns {
  const lengths = parts.map(({ columns, rows }) => (rows === null ? columns.n : rows.length));
  const n = lengths.reduce((sum, length) => sum + length, 0);
  const part = new Int32Array(n);
  const row = new Int32Array(n);
  const times = new Float64Array(n);
  let next = 0;
  parts.forEach(({ columns, rows }, index) => {
    const at = columns.at();
    for (let i = 0; i < (lengths[index] as number); i++, next++) {
      const from = rows === null ? i : (rows[i] as number);
      part[next] = index;
      row[next] = from;
      times[next] = at[from] as number;
    }
  });
  const order = orderOf(times);

  const gather = <T extends Float64Array | Int32Array>(into: T, read: (part: number) => T): T => {
    const sources = parts.map((_, index) => read(index));
    for (let i = 0; i < n; i++) {
      const from = order[i] as number;
      const source = sources[part[from] as number] as T;
      into[i] = source[row[from] as number] as number;
    }
    return into;
  };
  const columnsAt = (index: number) => parts[index]?.columns as SampleColumns;

  const originBook = mergeEntries(
    parts.map(({ columns }) => columns.origins),
    originKey,
  );
  return {
    n,
    at: once(() => gather(new Float64Array(n), (index) => columnsAt(index).at())),
    origins: originBook.entries,
    origin: once(() =>
      gather(new Int32Array(n), (index) => translate(columnsAt(index).origin(), originBook.places[index] ?? [])),
    ),
    text: onceEach((name: TextName): TextColumn => {
      const texts = parts.map(({ columns }) => columns.text(name));
      const book = mergeEntries(
        texts.map(({ entries }) => entries),
        (entry) => entry,
      );
      const codes = texts.map((text, index) => translate(text.codes, book.places[index] ?? []));
      return { entries: book.entries, codes: gather(new Int32Array(n), (index) => codes[index] as Int32Array) };
    }),
    number: onceEach((name: NumberName) => gather(new Float64Array(n), (index) => columnsAt(index).number(name))),
    metricNames: [...new Set(parts.flatMap(({ columns }) => columns.metricNames))].sort(),
    metric: (name: string) => gather(new Float64Array(n), (index) => columnsAt(index).metric(name)),
  };
}

/** Places in ascending order of time; equal times stay as they are. */
function orderOf(times: Float64Array): Int32Array {
  const order = new Int32Array(times.length);
  let ascending = true;
  for (let i = 0; i < times.length; i++) {
    order[i] = i;
    if (i > 0 && (times[i] as number) < (times[i - 1] as number)) ascending = false;
  }
  return ascending ? order : order.sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
}

/** One list of entries, and for each part where its own entries are in it. */
function mergeEntries<T>(
  lists: readonly (readonly T[])[],
  keyOf: (entry: T) => string,
): { entries: readonly T[]; places: number[][] } {
  const book = new DictionaryBuilder(keyOf);
  return { places: lists.map((list) => book.indicesOf(list)), entries: book.entries };
}

function translate(codes: Int32Array, places: readonly number[]): Int32Array {
  const translated = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    translated[row] = code === NULL ? NULL : (places[code] as number);
  }
  return translated;
}
