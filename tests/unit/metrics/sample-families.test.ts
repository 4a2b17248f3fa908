import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { seriesCount } from '../../../collector/monitoring/metrics/metric-family.ts';
import {
  BOUNDS_US,
  type CellSeries,
  cellSeries,
  limitCells,
  sampleFamilies,
} from '../../../collector/monitoring/metrics/sample-families.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { sketchOf } from '../statistics/sketch-of.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

test('every bound counts the same on samples and on a sketch', () => {
  const value = fc.oneof(fc.nat(20_000_000), fc.constantFrom(...BOUNDS_US.flatMap((bound) => [bound, bound + 1])));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), (values) => {
      const exact = exactDistribution(values);
      const sketch = sketchOf(values).build();
      for (const bound of BOUNDS_US) expect(sketch.countAbove(bound)).toBe(exact.countAbove(bound));
    }),
  );
});

test('a cell tells its counts, and the times of usable samples in seconds', () => {
  const samples = [
    { ...PLAIN_SAMPLE, origin: ORIGIN },
    { ...PLAIN_SAMPLE, status: 404, excluded: 'status' as const, origin: ORIGIN },
  ];
  const [cell] = aggregateSamples(samples, ['target', 'host', 'type', 'scenario', 'source']);
  if (cell === undefined) throw new Error('no cell');
  const { counts, times } = cellSeries(cell);
  const labels = { target: 'erp', host: 'erp.example.com', type: 'document', scenario: 'https-new', source: 'page' };
  expect(counts).toEqual([
    { labels: { ...labels, evidence: 'usable' }, value: 1 },
    { labels: { ...labels, evidence: 'status' }, value: 1 },
  ]);
  const tls = times.find((series) => series.labels.phase === 'tls');
  expect(tls?.labels).toEqual({ ...labels, phase: 'tls' });
  expect(tls?.sum).toBeCloseTo(0.0418, 9);
  // 41.8 ms lie above 32.767 ms and below 65.535 ms.
  expect(tls?.counts.indexOf(1)).toBe(tls?.bounds.indexOf(0.065535));
});

test('over the limit the groups with fewest samples go, whole and counted', () => {
  const cell = (samples: number): CellSeries => ({
    samples,
    counts: Array.from({ length: 40 }, () => ({ labels: {}, value: 1 })),
    times: [{ labels: {}, counts: new Array(15).fill(0), bounds: BOUNDS_US, sum: 0 }],
  });
  const many = Array.from({ length: 60 }, (_, place) => cell(place + 1));
  const { cells, full } = limitCells(many, 2500);
  const told = sampleFamilies(cells, 0).flatMap(({ series }) => series.map(seriesCount));
  expect(told.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2500);
  expect(cells).toHaveLength(35);
  expect(cells[0]?.samples).toBe(60);
  expect(full).toBe(25);
});
