import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { once, onceEach } from '../../lib/once.ts';
import { clientDictionary, stringDictionary, translateCodes } from './dictionary-builder.ts';

/** Some rows of some columns. */
export interface RowSelection {
  readonly columns: SampleColumns;
  /** In any order; null selects all. */
  readonly rows: Int32Array | null;
}

/** The selected rows of all parts as one, oldest first; rows of equal times keep the order of the parts. */
export function mergeColumns(parts: readonly RowSelection[]): SampleColumns {
  const n = parts.reduce((sum, { columns, rows }) => sum + (rows?.length ?? columns.n), 0);
  const part = new Int32Array(n);
  const row = new Int32Array(n);
  const times = new Float64Array(n);
  let next = 0;
  parts.forEach(({ columns, rows }, index) => {
    const at = columns.at();
    const length = rows?.length ?? columns.n;
    for (let i = 0; i < length; i++, next++) {
      const from = rows === null ? i : (rows[i] as number);
      part[next] = index;
      row[next] = from;
      times[next] = at[from] as number;
    }
  });
  const order = orderOf(times);

  const gather = <T extends Float64Array | Int32Array>(into: T, sources: readonly T[]): T => {
    for (let i = 0; i < n; i++) {
      const from = order[i] as number;
      into[i] = (sources[part[from] as number] as T)[row[from] as number] as number;
    }
    return into;
  };
  const numbers = (read: (columns: SampleColumns) => Float64Array) =>
    gather(
      new Float64Array(n),
      parts.map(({ columns }) => read(columns)),
    );

  const origins = clientDictionary();
  const originIndices = parts.map(({ columns }) => origins.indicesOf(columns.origins));
  return {
    n,
    at: once(() => numbers((columns) => columns.at())),
    origins: origins.entries,
    origin: once(() =>
      gather(
        new Int32Array(n),
        parts.map(({ columns }, index) => translateCodes(columns.origin().slice(), originIndices[index] ?? [])),
      ),
    ),
    text: onceEach((name: TextName): TextColumn => {
      const dictionary = stringDictionary();
      const codes = parts.map(({ columns }) => {
        const text = columns.text(name);
        return translateCodes(text.codes.slice(), dictionary.indicesOf(text.strings));
      });
      return { strings: dictionary.entries, codes: gather(new Int32Array(n), codes) };
    }),
    number: onceEach((name: NumberName) => numbers((columns) => columns.number(name))),
    metricNames: [...new Set(parts.flatMap(({ columns }) => columns.metricNames))].sort(),
    metric: (name: string) => numbers((columns) => columns.metric(name)),
  };
}

/** Indices in ascending order of time; equal times keep their order. */
function orderOf(times: Float64Array): Int32Array {
  const order = new Int32Array(times.length);
  let ascending = true;
  for (let i = 0; i < times.length; i++) {
    order[i] = i;
    if (i > 0 && (times[i] as number) < (times[i - 1] as number)) ascending = false;
  }
  return ascending ? order : order.sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
}
