import { describe, expect, it } from 'vitest';
import { stepIn } from '../../../collector/analysis/findings/compare-days.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';

const DAYS = 28;

/** Days whose observed time is the usual one times a factor, and noise of a few percent. */
function series(factor: (day: number) => number, { noise = 0.05, seed = 1 } = {}) {
  const random = seededRandom(seed);
  const days = Array.from({ length: DAYS }, (_, day) => 20_000 + day);
  const isWeekend = (day: number) => day % 7 === 5 || day % 7 === 6;
  const expected = Float64Array.from(days, (_, day) => (isWeekend(day) ? 50 : 1000));
  const observed = expected.map((ms, day) => ms * factor(day) * Math.exp(noise * (random() * 2 - 1)));
  return { days, observed, expected };
}

describe('the days of a place', () => {
  it('have a step on its day, with its size', () => {
    const found = stepIn(series((day) => (day >= 16 ? 1.4 : 1)));
    expect(found).toMatchObject({ shape: 'step', day: 20_016 });
    expect(found?.size).toBeCloseTo(Math.log(1.4), 1);
    expect(found?.interval[0]).toBeLessThanOrEqual(20_016);
    expect(found?.interval[1]).toBeGreaterThanOrEqual(20_016);
  });

  it('have a drift, and no step in it', () => {
    const found = stepIn(series((day) => 1.02 ** day));
    expect(found?.shape).toBe('drift');
    expect(found?.size).toBeCloseTo(Math.log(1.02), 2);
  });

  it('have nothing sure where they only vary', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const found = stepIn(series(() => 1, { noise: 0.3, seed }));
      expect(Math.abs(found?.t ?? 0)).toBeLessThan(6);
    }
  });

  it('are not judged by a thin weekend', () => {
    // Days 26 and 27 are a weekend with a twentieth of the requests.
    const found = stepIn(series((day) => (day >= 26 ? 3 : 1)));
    expect(found).toBeNull();
  });

  it('are too few with less than four on a side', () => {
    const { days, observed, expected } = series((day) => (day >= 3 ? 2 : 1));
    const few = { days: days.slice(0, 7), observed: observed.slice(0, 7), expected: expected.slice(0, 7) };
    expect(stepIn(few)).toBeNull();
  });

  it('hold the true day of a step in its interval in at least nine of ten', () => {
    let [held, steps] = [0, 0];
    for (let seed = 1; seed <= 200; seed++) {
      const found = stepIn(series((day) => (day >= 12 ? 1.5 : 1), { noise: 0.25, seed }));
      if (found?.shape !== 'step' || found.t < 6) continue;
      steps++;
      if (found.interval[0] <= 20_012 && found.interval[1] >= 20_012) held++;
    }
    expect(steps).toBeGreaterThan(50);
    expect(held / steps).toBeGreaterThanOrEqual(0.9);
  });
});
