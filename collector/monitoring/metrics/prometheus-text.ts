import { type HistogramSeries, isHistogram, type MetricFamily } from './metric-family.ts';

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const PROMETHEUS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function prometheusText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ series }) => series.length > 0)
    .map(familyText)
    .join('');
}

function familyText({ name, help, type, series }: MetricFamily): string {
  const lines = series.flatMap((one) =>
    isHistogram(one) ? histogramLines(name, one) : [`${name}${labelText(one.labels)} ${numberText(one.value)}`],
  );
  const head = [`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`];
  return `${[...head, ...lines].join('\n')}\n`;
}

function histogramLines(name: string, { labels, counts, bounds, sum }: HistogramSeries): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const bound = bounds[index];
    return `${name}_bucket${labelText({ ...labels, le: bound === undefined ? '+Inf' : numberText(bound) })} ${total}`;
  });
  return [
    ...buckets,
    `${name}_sum${labelText(labels)} ${numberText(sum)}`,
    `${name}_count${labelText(labels)} ${total}`,
  ];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
