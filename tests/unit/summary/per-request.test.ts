import { expect, test } from 'vitest';
import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { perRequestMean, perRequestMedian } from '../../../collector/analysis/summary/per-request.ts';
import { makeSample } from './make-sample.ts';

const TOLD = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 42_000, wait: 50_000 } });
/** Waited for 30 of the 40 ms. */
const EARLIER = makeSample({
  connection: 'new',
  times: { tcp: null, tls: 42_000, wait: 50_000, ttlb: 122_000 },
  unknown: { tcp: 'begun_earlier' },
});
const REUSED = makeSample({ times: { wait: 50_000 } });

test('connections that do not tell their tcp count with what was waited for', () => {
  const [cell] = aggregateSamples([TOLD, EARLIER, EARLIER, REUSED, REUSED], []);
  if (!cell) throw new Error('no cell');
  expect(perRequestMean(cell, 'tcp')).toBeCloseTo((40 + 30 + 30) / 5, 9);
  expect(perRequestMean(cell, 'tls')).toBeCloseTo((3 * 42) / 5, 9);
  expect(perRequestMedian(cell, 'tcp')).toBe(40);
});

test('a median that only they could tell is unknown', () => {
  const [cell] = aggregateSamples([EARLIER, EARLIER, REUSED], []);
  if (!cell) throw new Error('no cell');
  expect(perRequestMedian(cell, 'tcp')).toBeNull();
  expect(perRequestMean(cell, 'tcp')).toBeCloseTo(20, 9);
});
