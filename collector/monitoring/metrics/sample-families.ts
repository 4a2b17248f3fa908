import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { HistogramSeries, MetricFamily, NumberSeries } from './metric-family.ts';

/**
 * Upper bounds of the histograms, µs: about 1 ms to 8 s, doubled each time. They lie exactly between two buckets of the
 * sketch, so that a count is the same whether it was read from samples or from a rollup: a counter that fell a little would read as
 * a restart.
 */
export const BOUNDS_US: readonly number[] = Array.from({ length: 14 }, (_, place) => 2 ** (10 + place) - 1);
const BOUNDS_SECONDS = BOUNDS_US.map((bound) => bound / 1e6);

/** One group of samples and everything that is told of it, so that it is told as a whole or not at all. */
export interface CellSeries {
  readonly samples: number;
  readonly counts: readonly NumberSeries[];
  readonly times: readonly HistogramSeries[];
}

/** @param cell by host, type, scenario and source */
export function cellSeries(cell: CellAggregate): CellSeries {
  const { host, type, scenario, source } = cell.key;
  const labels = {
    host: host ?? '',
    type: type ?? '',
    scenario: scenario ?? 'none',
    source: source ?? '',
  };
  const { usable, opaque, cache, excluded } = cell.evidence;
  const counts = Object.entries({ usable, opaque, cache, ...excluded }).flatMap(([evidence, value]) =>
    value > 0 ? [{ labels: { ...labels, evidence }, value }] : [],
  );
  const times = SUMMARY_TIMES.flatMap((phase) => {
    const values = cell.times[phase];
    return values.n === 0 ? [] : [histogram({ ...labels, phase }, values)];
  });
  return { samples: cell.samples, counts, times };
}

function histogram(labels: HistogramSeries['labels'], values: Distribution): HistogramSeries {
  const atMost = [...BOUNDS_US.map((bound) => values.n - values.countAbove(bound)), values.n];
  const counts = atMost.map((count, place) => count - (atMost[place - 1] ?? 0));
  return { labels, counts, bounds: BOUNDS_SECONDS, sum: values.sum / 1e6 };
}

/** @param since epoch ms */
export function sampleFamilies(cells: readonly CellSeries[], since: number): MetricFamily[] {
  return [
    {
      name: 'lastbyte_samples_total',
      help: 'Samples by what they are good for; usable ones are in lastbyte_phase_seconds.',
      type: 'counter',
      unit: '1',
      since,
      series: cells.flatMap(({ counts }) => counts),
    },
    {
      name: 'lastbyte_phase_seconds',
      help: 'Times of usable samples; dns, tcp and tls of new connections only.',
      type: 'histogram',
      unit: 's',
      since,
      series: cells.flatMap(({ times }) => times),
    },
  ];
}
