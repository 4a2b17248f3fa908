import { describe, expect, test } from 'vitest';
import {
  changeAt,
  changePoints,
  type DailyPoint,
  MIN_DAYS_PER_SIDE,
} from '../../../shared/statistics/change-points.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { rounds } from '../../rounds.ts';
import { normal } from './seeded-distributions.ts';

const FLOOR = 0.1;
const DAYS = 30;

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
function series(seed: number, { days = DAYS, noise = 0.06, weekend = 1, steps = [] }: Shape): DailyPoint[] {
  const random = seededRandom(seed);
  return Array.from({ length: days }, (_, day) => {
    const isWeekend = [2, 3].includes(day % 7);
    const factor = steps.reduce((product, [from, by]) => (day >= from ? product * by : product), 1);
    const value = 100 * factor * (isWeekend ? weekend : 1) * Math.exp(noise * normal(random));
    return { day, value, weekend: isWeekend };
  });
}

const found = (points: readonly DailyPoint[], seed = 1) => changePoints(points, FLOOR, seededRandom(seed));

describe('small cases', () => {
  test('a clean step: its day, both levels and the smallest p-value', () => {
    const answer = found(series(1, { noise: 0, steps: [[17, 1.5]] }));
    expect(answer?.changes).toEqual([
      { day: 17, dayInterval: [17, 17], before: 100, after: 150, difference: 50, interval: [50, 50], pValue: 0 },
    ]);
    expect(answer?.pValue).toBeLessThan(0.001);
  });

  test('it may have begun on any day without a value before it', () => {
    const workdays = series(1, { noise: 0, steps: [[18, 1.5]] }).filter(({ weekend }) => !weekend);
    // Day 18 is a Monday; Saturday and Sunday were not measured.
    expect(found(workdays)?.changes).toMatchObject([{ day: 18, dayInterval: [16, 18] }]);
  });

  test('a large step in few days is surer than days can be ordered, and noise is not', () => {
    const few = found(series(3, { days: 15, noise: 0.05, steps: [[6, 1.5]] }));
    expect(few?.pValue).toBeGreaterThan(1e-4);
    expect(few?.changes[0]?.pValue).toBeLessThan(1e-6);
    const chance = Array.from({ length: rounds(30, 600) }, (_, seed) => found(series(seed, { days: 20, noise: 0.2 })));
    const sure = chance.filter((one) => (one?.changes[0]?.pValue ?? 1) < 0.01);
    expect(sure.length / chance.length).toBeLessThanOrEqual(0.035);
  });

  test('the p-value of a step is that of the t-test', () => {
    const logs = [0, 0.1, 0, 0.1, 1, 1.1, 1, 1.1];
    const points = logs.map((log, day): DailyPoint => ({ day, value: Math.exp(log), weekend: false }));
    // t = 24.49 with 6 degrees of freedom; there is one place for it.
    expect((found(points)?.changes[0]?.pValue ?? 1) / 3.05e-7).toBeGreaterThan(0.6);
    expect((found(points)?.changes[0]?.pValue ?? 1) / 3.05e-7).toBeLessThan(1.7);
  });

  test('equal days are no change', () => {
    expect(found(series(1, { noise: 0 }))?.pValue).toBe(1);
  });

  test('too few days are not judged', () => {
    const days = 2 * MIN_DAYS_PER_SIDE;
    expect(found(series(1, { days: days - 1 }))).toBeNull();
    expect(found(series(1, { days }))).not.toBeNull();
    expect(found([])).toBeNull();
  });

  test('days without a value are skipped, and the days keep their numbers', () => {
    const points = series(2, { noise: 0.02, steps: [[17, 1.5]] }).filter(({ day }) => day % 5 !== 1);
    expect(found(points)?.changes.map(({ day }) => day)).toEqual([17]);
  });

  test('what is below the clock step is equal', () => {
    const points = series(1, { noise: 0 }).map((point) => ({ ...point, value: point.day < 15 ? 0 : 0.08 }));
    expect(found(points)?.pValue).toBe(1);
  });

  test('the same seed gives the same answer', () => {
    const points = series(3, { steps: [[12, 1.2]] });
    expect(found(points, 5)).toEqual(found(points, 5));
  });
});

test('two changes are found in order, each compared with the days beside it', () => {
  const steps = [
    [10, 1.5],
    [20, 0.5],
  ] as const;
  const answer = found(series(4, { noise: 0.03, steps }));
  expect(answer?.changes.map(({ day }) => day)).toEqual([10, 20]);
  expect(answer?.changes[0]?.difference).toBeCloseTo(50, -1);
  expect(answer?.changes[1]?.difference).toBeCloseTo(-75, -1);
});

test('weekends hide no change and are none', () => {
  const calm = found(series(5, { weekend: 0.5 }));
  expect(calm?.pValue).toBeGreaterThan(0.05);
  const answer = found(series(5, { weekend: 0.5, steps: [[16, 1.3]] }));
  expect(answer?.pValue).toBeLessThan(0.001);
  expect(answer?.changes.map(({ day }) => day)).toEqual([16]);
  // Of all days, not only of working days: 30 ms on those, 15 ms on weekends.
  expect(answer?.changes[0]?.difference).toBeGreaterThan(20);
});

test('the difference is between days of the same kind, however unlike their numbers are', () => {
  // Weekends take a fifth: of mixed pairs, most would be from a weekend to a working day.
  const kinds = [...Array<boolean>(10).fill(true), false, false, false, ...Array<boolean>(10).fill(false), true];
  const points = kinds.map((weekend, day) => ({ day, weekend, value: (weekend ? 20 : 100) * (day >= 13 ? 1.5 : 1) }));
  expect(found(points)?.changes).toMatchObject([{ day: 13, difference: 50 }]);
});

describe('on noise', () => {
  const SERIES = rounds(150, 4000);
  const LEVEL = 0.05;
  /** Four standard errors of a share of LEVEL. */
  const MOST = LEVEL + 4 * Math.sqrt((LEVEL * (1 - LEVEL)) / SERIES);
  const alarms = (shape: Shape) =>
    Array.from({ length: SERIES }, (_, i) => found(series(1000 + i, shape), i)?.pValue ?? 1).filter((p) => p <= LEVEL)
      .length / SERIES;

  test.each([
    ['quiet', {}],
    ['loud', { noise: 0.5 }],
    ['with weekends', { weekend: 0.4 }],
    ['of few days', { days: 10 }],
  ] as const)('false alarms stay at their level: %s', { timeout: 240_000 }, (_, shape) => {
    expect(alarms(shape)).toBeLessThanOrEqual(MOST);
  });
});

describe('with noise, over many series', () => {
  const SERIES = rounds(20, 400);
  const DAY = 18;
  const answers = Array.from({ length: SERIES }, (_, i) => {
    return found(series(50_000 + i, { noise: 0.06, weekend: 0.8, steps: [[DAY, 1.15]] }), i);
  });
  const first = answers.flatMap((answer) => answer?.changes.slice(-1) ?? []);
  const share = (held: number) => held / SERIES;

  test('a change of 15 % is certain, and its day is off by at most one at the median', () => {
    expect(share(answers.filter((answer) => (answer?.pValue ?? 1) <= 0.01).length)).toBeGreaterThanOrEqual(0.95);
    const off = first.map(({ day }) => Math.abs(day - DAY)).sort((a, b) => a - b);
    expect(off[Math.floor(off.length / 2)]).toBeLessThanOrEqual(1);
  });

  test('intervals of the day and of the difference contain the truth', () => {
    const days = first.filter(({ dayInterval: [from, to] }) => from <= DAY && DAY <= to).length;
    expect(share(days)).toBeGreaterThanOrEqual(0.85);
    // 15 ms on working days, 12 on weekends; most pairs are of working days.
    const differences = first.filter(({ interval: [from, to] }) => from <= 15 && 14 <= to).length;
    expect(share(differences)).toBeGreaterThanOrEqual(0.85);
  });
});

test('the size at a day that is known is that of a change found on it', () => {
  const points = Array.from(
    { length: 20 },
    (_, day): DailyPoint => ({ day, value: (day < 12 ? 100 : 140) + (day % 3), weekend: day % 7 > 4 }),
  );
  const found = changePoints(points, 1, seededRandom(1))?.changes[0];
  const size = changeAt(points, 12, seededRandom(2));
  expect(found?.day).toBe(12);
  expect(size).toMatchObject({ difference: found?.difference, before: found?.before, after: found?.after });
  expect(size.interval[0]).toBeGreaterThan(37);
  expect(size.interval[1]).toBeLessThan(43);
  expect(size.interval[0]).toBeLessThan(size.interval[1]);
});
