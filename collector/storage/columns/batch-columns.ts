import {
  type ByIndex,
  NULL,
  NUMBER_INDEX,
  NUMBER_NAMES,
  type NumberName,
  type SampleColumns,
  TEXT_INDEX,
  TEXT_NAMES,
  type TextColumn,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import { onceEach } from '../../lib/once.ts';

/**
 * The accepted, validated rows of one batch as one typed array per column: an object per row, or boxed values, would cost
 * more than all other processing of a batch. An absent column is null in every row; NULL marks a single null.
 */
export interface BatchColumns {
  readonly n: number;
  /** Epoch ms by the collector's clock, not delta-coded. */
  readonly at: Float64Array;
  readonly texts: ByIndex<TextColumn>;
  readonly numbers: ByIndex<Float64Array>;
  /** Server-Timing metrics; NaN if a row has none. */
  readonly metrics: readonly (readonly [name: string, column: Float64Array])[];
}

/** Rows of many clients in the same shape: plain data that can be sent to another thread. */
export interface ClientColumns extends BatchColumns, Pick<SampleColumns, 'origins'> {
  readonly origin: Int32Array;
}

/** Columns without a single value are left out. */
export function toClientColumns(columns: SampleColumns): ClientColumns {
  const known = (values: Float64Array) => (values.some((value) => value !== NULL) ? values : undefined);
  return {
    n: columns.n,
    origins: columns.origins,
    at: columns.at(),
    origin: columns.origin(),
    texts: TEXT_NAMES.map((name) => {
      const { strings, codes } = columns.text(name);
      return strings.length === 0 ? undefined : { strings, codes };
    }),
    numbers: NUMBER_NAMES.map((name) => known(columns.number(name))),
    metrics: columns.metricNames.map((name) => [name, columns.metric(name)] as const),
  };
}

export function toSampleColumns({ n, origins, at, origin, texts, numbers, metrics }: ClientColumns): SampleColumns {
  const metric = new Map(metrics);
  return {
    n,
    origins,
    at: () => at,
    origin: () => origin,
    text: onceEach((name: TextName) => texts[TEXT_INDEX[name]] ?? { strings: [], codes: new Int32Array(n).fill(NULL) }),
    number: onceEach((name: NumberName) => numbers[NUMBER_INDEX[name]] ?? new Float64Array(n).fill(NULL)),
    metricNames: metrics.map(([name]) => name),
    metric: onceEach((name: string) => metric.get(name) ?? new Float64Array(n).fill(Number.NaN)),
  };
}
