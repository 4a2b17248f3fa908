import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import { isHistogram, type MetricFamily } from '../metrics/metric-family.ts';

type HrTime = [seconds: number, nanoseconds: number];
type Point<V> = { startTime: HrTime; endTime: HrTime; attributes: Record<string, string>; value: V };

/** `ValueType.DOUBLE` of @opentelemetry/api. */
const DOUBLE = 1 as MetricData['descriptor']['valueType'];

/**
 * The families in the SDK's types, cumulative. Names stay those of Prometheus, units are UCUM, so that a collector that
 * converts them back doesn't append the unit twice. https://opentelemetry.io/docs/specs/otel/metrics/data-model/
 *
 * @param startedAt of the process, epoch ms
 */
export function otlpMetrics(families: readonly MetricFamily[], startedAt: number, now: number): MetricData[] {
  return families.filter(({ series }) => series.length > 0).map((family) => toMetric(family, startedAt, now));
}

function toMetric(family: MetricFamily, startedAt: number, now: number): MetricData {
  const { name, help, unit, type, series, since = startedAt } = family;
  const about = {
    descriptor: { name, description: help, unit, valueType: DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const point = <V>(labels: Readonly<Record<string, string>>, value: V): Point<V> => ({
    startTime: hrTime(since),
    endTime: hrTime(now),
    attributes: { ...labels },
    value,
  });
  if (type === 'histogram') {
    const dataPoints = series.filter(isHistogram).map(({ labels, counts, bounds, sum }) => {
      const count = counts.reduce((total, one) => total + one, 0);
      return point(labels, { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count });
    });
    return { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = series.flatMap((one) => (isHistogram(one) ? [] : [point(one.labels, one.value)]));
  return type === 'counter'
    ? { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...about, dataPointType: DataPointType.GAUGE, dataPoints };
}

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
