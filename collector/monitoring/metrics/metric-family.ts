/**
 * A metric as both Prometheus and OTLP get it. Names and units follow https://prometheus.io/docs/practices/naming/:
 * seconds, bytes, and `_total` for counters. Implemented here, since prom-client keeps counters of its own: most of
 * these values are read from the store at each scrape, and OTLP needs them too.
 */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** UCUM unit, for OTLP: `s`, `By`, `1`. */
  readonly unit: string;
  /** Start of counting, epoch ms; absent: the start of the process. */
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
  /** Values per bucket, not cumulative; the last bucket is above every bound. */
  readonly counts: readonly number[];
  /** Upper bounds, inclusive, ascending; one less than `counts`. */
  readonly bounds: readonly number[];
  readonly sum: number;
}

type Values = readonly (readonly [labels: Labels, value: number])[];

export function gauge(name: string, help: string, unit: string, values: Values): MetricFamily {
  return { name, help, type: 'gauge', unit, series: values.map(([labels, value]) => ({ labels, value })) };
}

export function counter(name: string, help: string, unit: string, values: Values): MetricFamily {
  return { ...gauge(name, help, unit, values), type: 'counter' };
}

export function isHistogram(series: NumberSeries | HistogramSeries): series is HistogramSeries {
  return 'counts' in series;
}

/** Number of lines in the text format, which the limit on series counts. */
export function seriesCount(series: NumberSeries | HistogramSeries): number {
  return isHistogram(series) ? series.counts.length + 2 : 1;
}
