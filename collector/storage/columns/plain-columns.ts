import {
  NULL,
  NUMBER_NAMES,
  type NumberName,
  type SampleColumns,
  TEXT_NAMES,
  type TextColumn,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import { onceEach } from './once.ts';

/** Columns as plain data, as they go from one thread to another. What no row has is left out. */
export interface PlainColumns extends Pick<SampleColumns, 'n' | 'origins'> {
  readonly at: Float64Array;
  readonly origin: Int32Array;
  readonly texts: readonly (readonly [TextName, TextColumn])[];
  readonly numbers: readonly (readonly [NumberName, Float64Array])[];
  readonly metrics: readonly (readonly [string, Float64Array])[];
}

export function toPlainColumns(columns: SampleColumns): PlainColumns {
  const known = (values: Float64Array) => values.some((value) => value !== NULL);
  return {
    n: columns.n,
    origins: columns.origins,
    at: columns.at(),
    origin: columns.origin(),
    texts: TEXT_NAMES.flatMap((name) => {
      const { entries, codes } = columns.text(name);
      return entries.length === 0 ? [] : [[name, { entries, codes }] as const];
    }),
    numbers: NUMBER_NAMES.flatMap((name) => {
      const values = columns.number(name);
      return known(values) ? [[name, values] as const] : [];
    }),
    metrics: columns.metricNames.map((name) => [name, columns.metric(name)] as const),
  };
}

export function fromPlainColumns({ n, origins, at, origin, texts, numbers, metrics }: PlainColumns): SampleColumns {
  const text = new Map(texts);
  const number = new Map(numbers);
  const metric = new Map(metrics);
  return {
    n,
    origins,
    at: () => at,
    origin: () => origin,
    text: onceEach((name: TextName) => text.get(name) ?? { entries: [], codes: new Int32Array(n).fill(NULL) }),
    number: onceEach((name: NumberName) => number.get(name) ?? new Float64Array(n).fill(NULL)),
    metricNames: metrics.map(([name]) => name),
    metric: onceEach((name: string) => metric.get(name) ?? new Float64Array(n).fill(Number.NaN)),
  };
}
