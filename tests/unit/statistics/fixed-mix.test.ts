import { expect, test } from 'vitest';
import { fixedMix, type KindDays } from '../../../shared/statistics/fixed-mix.ts';

const DAYS = 10;
const FLOOR = 1;

/** A kind's days, each with so many values around a level. */
function kind(count: (day: number) => number, levelOf: (day: number) => number): KindDays {
  return Array.from({ length: DAYS }, (_, day) => {
    const n = count(day);
    const sorted = Float64Array.from({ length: n }, (_, i) => levelOf(day) * (0.9 + (0.2 * (i + 0.5)) / n));
    return { day, sorted };
  }).filter(({ sorted }) => sorted.length > 0);
}

function days(...kinds: KindDays[]) {
  const mixed = fixedMix(kinds, DAYS, FLOOR);
  return {
    medians: mixed.map((day) => day?.median ?? Number.NaN),
    means: mixed.map((day) => day?.mean ?? Number.NaN),
  };
}

test('a day with more of the slow kind is as slow as any other', () => {
  const fast = kind(
    (day) => (day < 5 ? 80 : 20),
    () => 50,
  );
  const slow = kind(
    (day) => (day < 5 ? 20 : 80),
    () => 400,
  );
  const { medians, means } = days(fast, slow);
  for (const day of [...medians, ...means]) expect(day / (0.5 * 50 + 0.5 * 400)).toBeCloseTo(1, 1);
});

test('one kind that gets slower while it is asked for more often counts with its share of all days', () => {
  const a = kind(
    (day) => (day < 5 ? 200 : 600),
    (day) => (day < 5 ? 100 : 200),
  );
  const b = kind(
    (day) => (day < 5 ? 800 : 400),
    () => 100,
  );
  const { medians, means } = days(a, b);
  // 40 % of all requests take 100 ms longer.
  for (const of of [medians, means]) {
    expect(of[1]).toBeCloseTo(100, -0.5);
    expect((of[8] as number) - (of[1] as number)).toBeGreaterThan(38);
    expect((of[8] as number) - (of[1] as number)).toBeLessThan(42);
  }
});

test('what all kinds gain has its size, even where each has few values and their mix shifts at another day', () => {
  const fast = kind(
    (day) => (day < 6 ? 9 : 3),
    (day) => (day < 4 ? 100 : 80),
  );
  const slow = kind(
    (day) => (day < 6 ? 3 : 9),
    (day) => (day < 4 ? 400 : 320),
  );
  const { medians, means } = days(fast, slow);
  for (const of of [medians, means]) {
    const gains = [4, 5, 6, 9].map((day) => (of[day] as number) / (of[0] as number));
    for (const gain of gains) expect(Math.abs(gain - 0.8)).toBeLessThan(0.025);
  }
});

test('a kind without requests on a day takes part with what the others say of the day', () => {
  const daily = kind(
    () => 40,
    (day) => (day < 5 ? 100 : 150),
  );
  const rare = kind(
    (day) => (day % 2 === 0 ? 40 : 0),
    (day) => (day < 5 ? 300 : 450),
  );
  const { medians, means } = days(daily, rare);
  for (const of of [medians, means]) {
    expect((of[1] as number) / (of[0] as number)).toBeCloseTo(1, 1);
    expect((of[9] as number) / (of[0] as number)).toBeCloseTo(1.5, 1);
  }
});

test('one value of a kind is hardly noticed beside a day that says otherwise', () => {
  const daily = kind(
    () => 100,
    () => 100,
  );
  const odd: KindDays = Array.from({ length: DAYS }, (_, day) => ({
    day,
    sorted: Float64Array.of(day === 3 ? 1000 : 100),
  }));
  const { medians, means } = days(daily, odd);
  expect(medians[3]).toBeLessThan(1.01 * (medians[2] as number));
  // The average knows outliers, as always: 900 ms among 101 requests.
  expect((means[3] as number) - (means[2] as number)).toBeLessThan(12);
});

test('a day without any request is unknown, and n is what was counted', () => {
  const some = kind(
    (day) => (day === 4 ? 0 : 3),
    () => 100,
  );
  const mixed = fixedMix([some, some], DAYS, FLOOR);
  expect(mixed[4]).toBeNull();
  expect(mixed[5]?.n).toBe(6);
});
