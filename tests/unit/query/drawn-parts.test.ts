import { expect, test } from 'vitest';
import { drawnParts } from '../../../collector/questions/drawn-parts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2026, 8, 7);
const dayOf = (at: number) => Math.floor((at - FROM) / DAY);
const hourOf = (at: number) => Math.floor((at - FROM) / HOUR) % 24;

const drawn = (days: number, share: number) => {
  const parts = drawnParts({ from: FROM, to: FROM + days * DAY }, 1_000_000, share * 1_000_000);
  if (parts === null) throw new Error('All of it is read.');
  return parts;
};
const lengthOf = (parts: readonly { from: number; to: number }[]) =>
  parts.reduce((sum, { from, to }) => sum + to - from, 0);

test('all of it is read if there are few samples', () => {
  expect(drawnParts({ from: FROM, to: FROM + DAY }, 1000, 1000)).toBeNull();
});

test.each([
  [28, 0.16, 1 / 8],
  [30, 0.02, 1 / 64],
  [30, 0.002, 1 / 512],
  [16, 0.5, 1 / 2],
  [90, 0.05, 1 / 32],
])('of %i days, if %d may be, %d is read, each hour of the day on as many days', (days, most, share) => {
  const parts = drawn(days, most);
  expect(lengthOf(parts) / (days * DAY)).toBeCloseTo(share, 6);
  const byHour = new Map<number, Set<number>>();
  for (const { from, to } of parts) {
    expect(hourOf(to - 1)).toBe(hourOf(from));
    byHour.set(hourOf(from), (byHour.get(hourOf(from)) ?? new Set()).add(dayOf(from)));
  }
  const counts = Array.from({ length: 24 }, (_, hour) => byHour.get(hour)?.size ?? 0);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(share > 1 / 8 ? 2 : 1);
});

test('of a few days each hour is read, and of half an hour each minute', () => {
  const hours = drawn(2, 0.03).map(({ from }) => Math.floor((from - FROM) / HOUR));
  expect(new Set(hours).size).toBe(48);
  const range = { from: FROM + 12_345, to: FROM + 12_345 + HOUR / 2 };
  const minutes = (drawnParts(range, 3000, 1000) ?? []).map(({ from }) => Math.floor((from - FROM) / 60_000));
  expect(new Set(minutes).size).toBeGreaterThanOrEqual(30);
});

test('a day has the same parts in every range', () => {
  const early = drawn(30, 0.02);
  const later = drawnParts({ from: FROM + 10.5 * DAY, to: FROM + 60 * DAY }, 1_500_000, 30_000) ?? [];
  const common = (parts: typeof early) => parts.filter(({ from }) => dayOf(from) >= 11 && dayOf(from) < 30);
  expect(common(later)).toEqual(common(early));
  expect(common(early)).toHaveLength(3 * 19);
});

test('no day and no half of an hour counts more than another', () => {
  const parts = drawn(30, 0.02);
  const days = parts.map(({ from }) => dayOf(from));
  const most = (values: readonly number[]) => Math.max(...values.map((one) => values.filter((v) => v === one).length));
  expect(new Set(days).size).toBe(30);
  expect(most(days)).toBe(3);
  const late = parts.filter(({ from, to }) => ((from + to) / 2) % HOUR >= HOUR / 2).length;
  expect(late / parts.length).toBeGreaterThan(0.4);
  expect(late / parts.length).toBeLessThan(0.6);
});

test('parts are in order, disjoint and inside the range', () => {
  const range = { from: FROM + 20 * 60_000, to: FROM + 9 * DAY + 40 * 60_000 };
  const parts = drawnParts(range, 10, 4) ?? [];
  expect(parts.length).toBeGreaterThan(50);
  parts.forEach(({ from, to }, i) => {
    expect(from).toBeGreaterThanOrEqual(parts[i - 1]?.to ?? range.from);
    expect(to).toBeGreaterThan(from);
    expect(to).toBeLessThanOrEqual(range.to);
  });
  expect(drawnParts(range, 10, 4)).toEqual(parts);
});
