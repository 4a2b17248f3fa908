import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { SUMMARY_TIMES } from '../../../shared/vocabulary/time-names.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { type HistogramSeries, type MetricFamily, type NumberSeries, seriesCount } from './metric-family.ts';

/** Limit on the series exposed; the groups beyond it are counted. */
const MAX_SERIES = 20_000;
/** Of these, reserved for the collector's own health. */
const HEALTH_SERIES = 500;

/**
 * Upper bounds of the histograms, µs: about 1 ms to 8 s, doubled each time. They lie exactly between two buckets of the
 * sketch, so that samples and rollups give the same counts: a slightly lower counter would look like a restart.
 */
export const BOUNDS_US: readonly number[] = Array.from({ length: 14 }, (_, index) => 2 ** (10 + index) - 1);
const BOUNDS_SECONDS = BOUNDS_US.map((bound) => bound / 1e6);

/** All series of one group of samples: exposed completely or not at all. */
export interface CellSeries {
  readonly samples: number;
  readonly counts: readonly NumberSeries[];
  readonly times: readonly HistogramSeries[];
}

/** @param cell by app, host, type, scenario and source */
export function cellSeries(cell: CellAggregate): CellSeries {
  const { target, host, type, scenario, source } = cell.key;
  const labels = {
    target: target ?? '',
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
  const counts = atMost.map((count, index) => count - (atMost[index - 1] ?? 0));
  return { labels, counts, bounds: BOUNDS_SECONDS, sum: values.sum / 1e6 };
}

/** @param since epoch ms */
export function sampleFamilies(cells: readonly CellSeries[], since: number): MetricFamily[] {
  return [
    {
      name: 'lastbyte_samples_total',
      help: 'Samples by evidence; usable ones are in lastbyte_phase_seconds.',
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

export interface LimitedCells {
  readonly cells: readonly CellSeries[];
  /** Number of groups beyond the limit. */
  readonly full: number;
}

/** The groups with most samples, within the limit on series. */
export function limitCells(all: readonly CellSeries[], maxSeries = MAX_SERIES): LimitedCells {
  const cells: CellSeries[] = [];
  let left = maxSeries - HEALTH_SERIES;
  let full = 0;
  for (const cell of [...all].sort((a, b) => b.samples - a.samples)) {
    const needed = [...cell.counts, ...cell.times].reduce((sum, series) => sum + seriesCount(series), 0);
    if (needed > left) {
      full++;
      continue;
    }
    left -= needed;
    cells.push(cell);
  }
  return { cells, full };
}
