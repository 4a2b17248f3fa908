import { expect, test } from 'vitest';
import { dailyParts } from '../../../collector/questions/daily-parts.ts';

const HOUR = 3_600_000;
const bounds = Array.from({ length: 31 }, (_, day) => Date.UTC(2026, 2, 1 + day));

const hoursOf = (parts: NonNullable<ReturnType<typeof dailyParts>>) =>
  parts.reduce((sum, { from, to }) => sum + (to - from), 0) / HOUR;

test('few samples are all read', () => {
  expect(dailyParts(bounds, 1000, 1000)).toBeNull();
});

test('of many, about the share that may be read, on each day, at all hours of the day', () => {
  const parts = dailyParts(bounds, 4_000_000, 1_000_000) ?? [];
  expect(hoursOf(parts) / (30 * 24)).toBeCloseTo(0.25, 6);
  for (const [day, start] of bounds.slice(0, -1).entries()) {
    const own = parts.filter(({ from, to }) => from >= start && to <= (bounds[day + 1] as number));
    expect(own).toHaveLength(6);
    // A working hour is among them.
    expect(own.some(({ from }) => from >= start + 8 * HOUR && from < start + 18 * HOUR)).toBe(true);
  }
  expect(new Set(parts.map(({ from }) => new Date(from).getUTCHours())).size).toBe(24);
  expect([...parts].sort((a, b) => a.from - b.from)).toEqual(parts);
});

test('of very many, parts of two hours of each day', () => {
  const parts = dailyParts(bounds, 100_000_000, 1_000_000) ?? [];
  expect(parts).toHaveLength(60);
  expect(hoursOf(parts) / (30 * 24)).toBeCloseTo(0.01, 4);
});

test('a day on which the clocks change has all of its hours', () => {
  const spring = [Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 22)];
  const [first, last] = [(dailyParts(spring, 23, 22) ?? [])[0], (dailyParts(spring, 23, 22) ?? []).at(-1)];
  expect(first?.from).toBeGreaterThanOrEqual(spring[0] as number);
  expect(last?.to).toBeLessThanOrEqual(spring[1] as number);
});
