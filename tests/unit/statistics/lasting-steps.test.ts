import { describe, expect, it } from 'vitest';
import { type DaySums, stepIn, stepsIn } from '../../../shared/statistics/lasting-steps.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { rounds } from '../../rounds.ts';
import { normal } from './seeded-distributions.ts';

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

interface Shape {
  readonly days?: number;
  /** Standard deviation of the logarithm. */
  readonly noise?: number;
  /** What a weekend's value is multiplied by. */
  readonly weekend?: number;
  /** From which day a value is multiplied by what. */
  readonly steps?: readonly (readonly [day: number, factor: number])[];
}

/** Day 0 is a Thursday. */
function daily(seed: number, { days = 30, noise = 0.06, weekend = 1, steps = [] }: Shape = {}): DaySums {
  const random = seededRandom(seed);
  const apart = Array.from({ length: days }, (_, day) => [2, 3].includes(day % 7));
  const observed = Float64Array.from(apart, (isWeekend, day) => {
    const factor = steps.reduce((product, [from, by]) => (day >= from ? product * by : product), 1);
    return 100 * factor * (isWeekend ? weekend : 1) * Math.exp(noise * normal(random));
  });
  return { days: [...apart.keys()], observed, expected: observed.map(() => 100), apart };
}

/** As `/changes` asks: certain ones. */
const certain = (sums: DaySums) => stepsIn(sums).filter(({ t }) => Math.abs(t) >= 6);
const daysFound = (sums: DaySums) => certain(sums).map(({ day }) => day);

describe('all steps of a series', () => {
  it('are found in order, each with its own size', () => {
    const steps = certain(
      daily(4, {
        noise: 0.03,
        steps: [
          [10, 1.5],
          [20, 0.5],
        ],
      }),
    );
    expect(steps.map(({ day }) => day)).toEqual([10, 20]);
    expect(steps[0]?.size).toBeCloseTo(Math.log(1.5), 1);
    expect(steps[1]?.size).toBeCloseTo(Math.log(0.5), 1);
  });

  it('are found where a time returns to what it was, which leaves the two sides of either alike', () => {
    expect(
      daysFound(
        daily(4, {
          noise: 0.03,
          steps: [
            [10, 1.5],
            [18, 1 / 1.5],
          ],
        }),
      ),
    ).toEqual([10, 18]);
  });

  it('are neither weekends nor hidden by them', () => {
    expect(daysFound(daily(5, { weekend: 0.5 }))).toEqual([]);
    expect(daysFound(daily(5, { weekend: 0.5, steps: [[16, 1.3]] }))).toEqual([16]);
  });

  it('may have begun on any day without a value before it', () => {
    const { days, observed, expected, apart } = daily(1, { noise: 0.01, steps: [[18, 1.5]] });
    const workdays = days.filter((day) => apart?.[day] === false);
    const only = (values: Float64Array) => Float64Array.from(workdays, (day) => values[day] as number);
    const [step] = certain({ days: workdays, observed: only(observed), expected: only(expected) });
    // Day 18 is a Monday; Saturday and Sunday were not measured.
    expect(step).toMatchObject({ day: 18, interval: [16, 18] });
  });

  it('are none in a drift', () => {
    const { days, expected } = daily(1);
    expect(certain({ days, expected, observed: expected.map((ms, day) => ms * 1.02 ** day) })).toEqual([]);
  });

  it('are none in equal days, in too few days and in none', () => {
    expect(stepsIn(daily(1, { noise: 0 }))).toEqual([]);
    expect(stepsIn(daily(1, { days: 7, steps: [[4, 3]] }))).toEqual([]);
    expect(stepsIn(daily(1, { days: 0 }))).toEqual([]);
  });

  const SERIES = rounds(300, 4000);
  it.each([
    ['quiet', {}],
    ['loud', { noise: 0.5 }],
    ['with weekends', { weekend: 0.4 }],
    ['short', { days: 12 }],
  ] as const)('are none in noise: %s', (_, shape) => {
    const found = Array.from({ length: SERIES }, (_, seed) => certain(daily(seed, shape))).flat();
    expect(found.length / SERIES).toBeLessThanOrEqual(0.005);
  });

  it('are on the true day within a day, with intervals of the day and of the size that hold the truth', () => {
    const found = Array.from({ length: SERIES }, (_, seed) =>
      certain(daily(50_000 + seed, { weekend: 0.8, steps: [[18, 1.25]] })),
    ).flat();
    const share = (held: typeof found) => held.length / SERIES;
    expect(share(found.filter(({ day }) => Math.abs(day - 18) <= 1))).toBeGreaterThanOrEqual(0.95);
    expect(share(found.filter(({ interval: [from, to] }) => from <= 18 && to >= 18))).toBeGreaterThanOrEqual(0.93);
    const off = ({ size, t }: (typeof found)[number]) => Math.abs(size - Math.log(1.25)) / (size / t);
    expect(share(found.filter((step) => off(step) <= 2))).toBeGreaterThanOrEqual(0.9);
  });
});
