import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregateSamples, createAggregator } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { explainGap } from '../../../collector/analysis/summary/gap.ts';
import { gapCut } from '../../../collector/analysis/summary/gap-cuts.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { ARBITRARY_SAMPLES } from './arbitrary-sample.ts';
import { gapCuts } from './gap-cuts.ts';
import { makeSample } from './make-sample.ts';

function gapOf(samples: Parameters<typeof aggregateSamples>[0]) {
  const [cell] = aggregateSamples(samples, []);
  return cell ? explainGap(cell) : null;
}

const kept = (wait: number) => makeSample({ times: { wait } });

test('set-up, slow group and spread of a known mixture', () => {
  const opened = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 60_000, wait: 80_000 } });
  const samples = [
    ...Array.from({ length: 190 }, () => kept(80_000)),
    ...Array.from({ length: 8 }, () => opened),
    kept(1_080_000),
    kept(2_080_000),
  ];
  // 8 · 100 ms of set-up and 3,000 ms of two slow requests, over 200 requests.
  expect(gapOf(samples)).toMatchObject({
    n: 200,
    median: 80,
    gap: 19,
    setup: 4,
    tail: 15,
    tailSamples: 2,
    // The start of the bucket that holds 1,080 ms.
    tailFrom: 1064.96,
    tailBy: 'far_fence',
    tailPhase: 'wait',
    spread: 0,
  });
});

test('the slow group is chosen set-up aside: a slow handshake is no slow server', () => {
  const slowHandshake = makeSample({ connection: 'new', times: { tcp: 900_000, tls: 900_000, wait: 80_000 } });
  const samples = [...Array.from({ length: 99 }, () => kept(80_000)), slowHandshake];
  expect(gapOf(samples)).toMatchObject({ gap: 18, setup: 18, tail: 0, spread: 0 });
});

test('the slow group is a population of its own, not a fixed share', () => {
  const mixture = (slow: number) => [
    ...Array.from({ length: 1000 - slow }, (_, i) => kept(70_000 + 20 * i)),
    ...Array.from({ length: slow }, (_, i) => kept(1_100_000 + 1000 * i)),
  ];
  for (const slow of [40, 200]) {
    const gap = gapOf(mixture(slow));
    expect(gap).toMatchObject({ tailSamples: slow, tailBy: 'valley', tailFrom: expect.closeTo(1100, -2) });
    expect(gap?.tail).toBeGreaterThan(0.95 * (gap?.gap ?? 0));
  }
});

test('it may be empty', () => {
  const gap = gapOf(Array.from({ length: 100 }, (_, i) => kept(10_000 + 10 * i)));
  expect(gap).toMatchObject({ tail: 0, tailSamples: 0, tailPhase: null, tailBy: 'far_fence' });
});

test('a phase names the slow group only if it explains half of it', () => {
  const slow = (wait: number, receive: number, blocked: number) =>
    makeSample({ times: { wait: 80_000 + wait, receive, blocked } });
  const tailPhase = (sample: StoredSample) =>
    gapOf([...Array.from({ length: 99 }, () => kept(80_000)), sample])?.tailPhase;
  expect(tailPhase(slow(450_000, 300_000, 250_000))).toBeNull();
  expect(tailPhase(slow(550_000, 250_000, 200_000))).toBe('wait');
  expect(tailPhase(slow(200_000, 250_000, 550_000))).toBe('blocked');
});

describe('A + B + C = gap within 1e-9', () => {
  test('exact, each part computed by itself', () => {
    fc.assert(
      fc.property(ARBITRARY_SAMPLES, (samples) => {
        const gap = gapOf(samples);
        if (!gap) return;
        expect(Math.abs(gap.setup + gap.tail + gap.spread - gap.gap)).toBeLessThanOrEqual(1e-9);
        expect(Math.abs(gap.mean - gap.median - gap.gap)).toBeLessThanOrEqual(1e-9);
      }),
      { numRuns: 500 },
    );
  });

  test('as written in the definition, sample by sample', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(500_000), fc.nat(3_000_000)), { minLength: 1, maxLength: 300 }), (pairs) => {
        const samples = pairs.map(([tcp, wait], i) =>
          i % 3 === 0
            ? makeSample({
                scheme: 'http',
                connection: 'new',
                times: { tcp, tls: null, wait },
                unknown: { tls: 'plain_http' },
              })
            : kept(wait),
        );
        const n = samples.length;
        const x = samples.map(({ times }) => (times.ttlb ?? 0) / 1000);
        const s = samples.map(({ connection, times }) => (connection === 'new' ? (times.tcp ?? 0) / 1000 : 0));
        const median = [...x].sort((a, b) => a - b)[Math.floor(0.5 * (n - 1))] ?? 0;
        const rest = x.map((time, i) => time - (s[i] ?? 0));
        const part = (times: number[]) => times.reduce((sum, time) => sum + time - median, 0) / n;
        const gap = gapOf(samples);
        const from = gap?.tailFrom ?? 0;
        expect(gap?.setup).toBeCloseTo(s.reduce((sum, time) => sum + time, 0) / n, 8);
        expect(gap?.tail).toBeCloseTo(part(rest.filter((time) => time >= from)), 8);
        expect(gap?.spread).toBeCloseTo(part(rest.filter((time) => time < from)), 8);
      }),
    );
  });

  test('sketched: mean and set-up exact, the spread is what remains', () => {
    fc.assert(
      fc.property(ARBITRARY_SAMPLES, (samples) => {
        const sketched = createAggregator([], () => new Sketch());
        for (const sample of samples) sketched.add(sample);
        const [cell] = sketched.cells();
        const gap = cell ? explainGap(cell) : null;
        const exact = gapOf(samples);
        if (!gap || !exact) return;
        expect(Math.abs(gap.setup + gap.tail + gap.spread - gap.gap)).toBeLessThanOrEqual(1e-9);
        expect([gap.mean, gap.setup]).toEqual([exact.mean, exact.setup]);
        // Samples and rollups agree on who is slow.
        expect([gap.tailSamples, gap.tailFrom, gap.tailBy]).toEqual([exact.tailSamples, exact.tailFrom, exact.tailBy]);
        expect(Math.abs(gap.median - exact.median)).toBeLessThanOrEqual(0.0079 * exact.median);
      }),
    );
  });
});

test('each cut sums to the whole gap by itself', () => {
  fc.assert(
    fc.property(ARBITRARY_SAMPLES, (samples) => {
      const gap = gapOf(samples);
      const cuts = gapCuts(samples);
      for (const cut of [cuts.hosts, cuts.browsers, cuts.hours]) {
        const sum = cut.reduce((total, { part }) => total + part, 0);
        expect(Math.abs(sum - (gap?.gap ?? 0))).toBeLessThanOrEqual(1e-9 * Math.max(1, gap?.mean ?? 0));
        expect(cut.reduce((total, { n }) => total + n, 0)).toBe(gap?.n ?? 0);
      }
    }),
  );
});

test('a rollup that holds sums per group gives the same cut', () => {
  const groups = [
    ['slow', { n: 1, sum: 550_000 }],
    ['fast', { n: 9, sum: 450_000 }],
  ] as const;
  expect(gapCut({ n: 10, median: 50_000 }, groups)).toEqual([
    { name: 'slow', n: 1, part: 50 },
    { name: 'fast', n: 9, part: 0 },
  ]);
});

test('cuts name the hour and the host that pull the average up', () => {
  const hour = 1_699_999_200_000;
  const samples = [
    ...Array.from({ length: 9 }, (_, i) => ({ ...kept(50_000), at: hour + i })),
    { ...kept(550_000), at: hour + 3_600_000, host: 'slow.example.com' },
  ];
  const { hosts, hours } = gapCuts(samples);
  expect(hosts[0]).toEqual({ name: 'slow.example.com', n: 1, part: 50 });
  expect(hours[0]).toEqual({ name: String(hour + 3_600_000), n: 1, part: 50 });
});
