/**
 * What is told to Prometheus and over OTLP alike. Names and units follow https://prometheus.io/docs/practices/naming/:
 * seconds, bytes, and `_total` for what only grows.
 */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Of UCUM, for OTLP: `s`, `By`, `1`. */
  readonly unit: string;
  /** Since when it counts, epoch ms; absent: since the start of the process. */
  readonly since?: number;
  readonly series: readonly (NumberSeries | HistogramSeries)[];
}

type Labels = Readonly<Record<string, string>>;

export interface NumberSeries {
  readonly labels: Labels;
  readonly value: number;
}

export interface HistogramSeries {
  readonly labels: Labels;
  /** How many values lie in each bucket of its own, the last of them above every bound. */
  readonly counts: readonly number[];
  /** Upper bounds, inclusive, ascending; one less than `counts`. */
  readonly bounds: readonly number[];
  readonly sum: number;
}

export function isHistogram(series: NumberSeries | HistogramSeries): series is HistogramSeries {
  return 'counts' in series;
}

/** Lines that a series takes in the text format: what a limit on series counts. */
export function seriesCount(series: NumberSeries | HistogramSeries): number {
  return isHistogram(series) ? series.counts.length + 2 : 1;
}
