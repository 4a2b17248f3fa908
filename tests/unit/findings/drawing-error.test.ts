import { expect, test } from 'vitest';
import { createDrawingError } from '../../../collector/analysis/findings/drawing-error.ts';
import { createWaits } from '../../../collector/analysis/findings/waits.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { FIRST, ordinaryRows, type RequestRow, tableOf } from './request-rows.ts';

const HOUR = 3_600_000;
const HOURS = 400;
const PER_HOUR = 12;
const EXTRA_MS = 500;
const [ORDINARY] = ordinaryRows() as [RequestRow];

/** Every fifth hour is a bad one, at random, in which all requests take longer. */
function month(random: () => number) {
  const bad = Array.from({ length: HOURS }, () => random() < 0.2);
  const rowsOf = (hour: number): RequestRow[] =>
    Array.from({ length: PER_HOUR }, (_, i) => ({
      ...ORDINARY,
      outcome: 'usable',
      client: `browser-${i}`,
      at: FIRST + hour * HOUR + i * 60_000,
      times: { ...ORDINARY.times, wait: bad[hour] ? ORDINARY.times.wait + EXTRA_MS : ORDINARY.times.wait },
    }));
  const truth = bad.filter(Boolean).length * PER_HOUR * EXTRA_MS;
  return { bad, rowsOf, truth };
}

/** An intermittent cause, estimated from some of the hours, with the error of the estimate. */
function estimate(seed: number, share: number) {
  const random = seededRandom(seed);
  const { bad, rowsOf, truth } = month(random);
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ hour, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, share * HOURS)
    .map(({ hour }) => hour)
    .sort((a, b) => a - b);
  const rows = hours.flatMap(rowsOf);
  const waits = createWaits(tableOf(rows), () => 0);
  const parts = hours.map((hour) => ({ from: FIRST + hour * HOUR, to: FIRST + (hour + 1) * HOUR }));
  const slow = rows.flatMap(({ at }, row) => (bad[Math.floor((at - FIRST) / HOUR)] ? [row] : []));
  const saved = (slow.length * EXTRA_MS) / share;
  const error = createDrawingError(waits, { parts, share })(() => {
    for (const row of slow) waits.left.ttlb[row] = (waits.left.ttlb[row] as number) - EXTRA_MS;
  });
  return { saved, truth, half: 1.96 * error * saved };
}

test('the truth is within it as often as it says', () => {
  const rounds = Array.from({ length: 100 }, (_, seed) => estimate(seed + 1, 0.1));
  const held = rounds.filter(({ saved, truth, half }) => Math.abs(saved - truth) <= half).length;
  expect(held).toBeGreaterThanOrEqual(88);
  // No interval that is right because it is wide.
  expect(rounds.reduce((sum, { half, truth }) => sum + half / truth, 0) / 100).toBeLessThan(0.8);
});

test('is none once everything is read', () => {
  const { saved, truth, half } = estimate(1, 1);
  expect(saved).toBe(truth);
  expect(half).toBe(0);
});

test('counts what takes no time itself, such as errors', () => {
  const rows = Array.from(
    { length: 8 },
    (_, i): RequestRow => ({ ...ORDINARY, outcome: 'usable', at: FIRST + i * HOUR }),
  );
  const waits = createWaits(tableOf(rows), () => 0);
  const parts = rows.map(({ at }) => ({ from: at, to: at + 1 }));
  const error = createDrawingError(waits, { parts, share: 0.5 })(() => {
    waits.table.outcome[0] = 0;
    waits.table.outcome[1] = 3;
  });
  // One of eight parts: √(1 − ½) · √(8/7 · ((7/8)² + 7 · (1/8)²)).
  expect(error).toBeCloseTo(Math.SQRT1_2 * Math.sqrt((8 / 7) * ((7 / 8) ** 2 + 7 / 64)), 12);
});
