import { expect, test } from 'vitest';
import { overheads } from '../../../collector/analysis/summary/overhead.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';

const steady = (ms: number, n = 50) => exactDistribution(Array.from({ length: n }, () => ms * 1000));

function overheadOf(scenario: string, found: ReturnType<typeof overheads>) {
  return found.find((overhead) => overhead.scenario === scenario);
}

test('each scenario over the same connection without TLS', () => {
  const found = overheads({
    'http-new': steady(80),
    'http-reused': steady(40),
    'https-new': steady(124),
    'https-reused': steady(41),
  });
  expect(overheadOf('https-new', found)).toMatchObject({
    baseline: 'http-new',
    median: { ms: 44, ratio: 1.55 },
    reason: null,
  });
  expect(overheadOf('https-reused', found)).toMatchObject({ baseline: 'http-reused', mean: { ms: 1, ratio: 1.025 } });
  expect(overheadOf('http-new', found)).toMatchObject({ median: null, reason: 'no_baseline' });
});

test('what was not measured is null with the reason, never 0', () => {
  const found = overheads({ 'https-new': steady(124), 'https-reused': steady(41), 'http-reused': steady(40, 5) });
  expect(overheadOf('https-new', found)).toMatchObject({ median: null, mean: null, reason: 'baseline_not_measured' });
  expect(overheadOf('https-reused', found)).toMatchObject({ median: null, reason: 'few_samples' });
  expect(overheadOf('https-new-full', found)).toMatchObject({ median: null, reason: 'not_measured' });
});

test.each([
  ['host', 'different_hosts'],
  ['type', 'different_types'],
  ['site', 'different_sites'],
  ['template', 'different_templates'],
] as const)('requests that differ by %s do not compare', (by, reason) => {
  const times = { 'https-new': steady(240), 'http-new': steady(6) };
  const on = (shares: Record<string, Record<string, number>>) =>
    new Map(Object.entries(shares).map(([scenario, counts]) => [scenario, { [by]: new Map(Object.entries(counts)) }]));
  const found = (counts: ReturnType<typeof on>) => overheadOf('https-new', overheads(times, undefined, counts));
  expect(found(on({ 'https-new': { far: 9, near: 3 }, 'http-new': { near: 50 } }))).toMatchObject({
    median: null,
    mean: null,
    reason,
  });
  expect(found(on({ 'https-new': { near: 9, far: 3 }, 'http-new': { near: 50 } }))?.median).toEqual({
    ms: 234,
    ratio: 40,
  });
});

test('the largest difference is the reason', () => {
  const counts = new Map([
    ['https-new', { host: new Map([['a', 40]]), type: new Map([['script', 40]]) }],
    [
      'http-new',
      {
        host: new Map([
          ['a', 16],
          ['b', 24],
        ]),
        type: new Map([['image', 40]]),
      },
    ],
  ]);
  const found = overheads({ 'https-new': steady(240), 'http-new': steady(6) }, undefined, counts);
  expect(overheadOf('https-new', found)?.reason).toBe('different_types');
});

test('the baseline is a parameter, and one of 0 has no ratio', () => {
  const found = overheads({ fast: steady(0), slow: steady(7) }, { slow: 'fast' });
  expect(overheadOf('slow', found)?.median).toEqual({ ms: 7, ratio: null });
});
