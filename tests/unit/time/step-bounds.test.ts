import { expect, test } from 'vitest';
import { stepBounds } from '../../../collector/analysis/time/step-bounds.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text);
const shown = (bounds: readonly number[]) => bounds.map((bound) => new Date(bound).toISOString().slice(0, 16));

test('without a zone steps begin at multiples of their length', () => {
  const range = { from: at('2026-03-28T10:30:00Z'), to: at('2026-03-30T00:00:00Z') };
  expect(shown(stepBounds(range, DAY, null))).toEqual(['2026-03-28T00:00', '2026-03-29T00:00', '2026-03-30T00:00']);
});

test('days of a zone begin at its midnight: the one on which clocks go forward has 23 hours, back 25', () => {
  const spring = { from: at('2026-03-28T12:00:00Z'), to: at('2026-03-30T12:00:00Z') };
  expect(shown(stepBounds(spring, DAY, 'Europe/Berlin'))).toEqual([
    '2026-03-27T23:00',
    '2026-03-28T23:00',
    '2026-03-29T22:00',
    '2026-03-30T22:00',
  ]);
  const autumn = { from: at('2026-10-24T22:00:00Z'), to: at('2026-10-26T23:00:00Z') };
  const bounds = stepBounds(autumn, DAY, 'Europe/Berlin');
  expect(bounds.slice(1).map((bound, i) => (bound - (bounds[i] ?? 0)) / HOUR)).toEqual([25, 24]);
});

test('steps of several hours begin at the same times of each day, whatever the clocks do in between', () => {
  const range = { from: at('2026-03-28T23:00:00Z'), to: at('2026-03-29T22:00:00Z') };
  expect(shown(stepBounds(range, 6 * HOUR, 'Europe/Berlin'))).toEqual([
    '2026-03-28T23:00',
    '2026-03-29T04:00',
    '2026-03-29T10:00',
    '2026-03-29T16:00',
    '2026-03-29T22:00',
  ]);
});

test('a zone of half an hour has its own hours', () => {
  const range = { from: at('2026-01-05T10:00:00Z'), to: at('2026-01-05T12:00:00Z') };
  const hours = ['2026-01-05T09:30', '2026-01-05T10:30', '2026-01-05T11:30', '2026-01-05T12:30'];
  expect(shown(stepBounds(range, HOUR, 'Asia/Kolkata'))).toEqual(hours);
  expect(shown(stepBounds(range, DAY, 'Asia/Kolkata'))).toEqual(['2026-01-04T18:30', '2026-01-05T18:30']);
});

test('weeks begin at midnight of the zone on both sides of a change of its clocks', () => {
  const range = { from: at('2026-02-26T05:00:00Z'), to: at('2026-03-19T04:00:00Z') };
  const weeks = ['2026-02-26T05:00', '2026-03-05T05:00', '2026-03-12T04:00', '2026-03-19T04:00'];
  expect(shown(stepBounds(range, 7 * DAY, 'America/New_York'))).toEqual(weeks);
});

test.each([
  ['UTC', DAY],
  ['Europe/Berlin', DAY],
  ['America/New_York', 7 * DAY],
  ['Australia/Lord_Howe', 3 * HOUR],
  ['Asia/Kathmandu', HOUR],
  ['Pacific/Apia', 12 * HOUR],
])('over a year in %s steps ascend without a gap and hold the range', (zone, step) => {
  for (const [from, to] of [
    ['2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z'],
    ['2026-03-29T01:00:00Z', '2026-03-29T01:00:01Z'],
    ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
  ] as const) {
    const range = { from: at(from), to: at(to) };
    const bounds = stepBounds(range, step, zone);
    expect(bounds[0]).toBeLessThanOrEqual(range.from);
    expect(bounds[1]).toBeGreaterThan(range.from);
    expect(bounds.at(-1)).toBeGreaterThanOrEqual(range.to);
    expect(bounds.at(-2)).toBeLessThan(range.to);
    for (const [i, bound] of bounds.slice(1).entries()) expect(bound).toBeGreaterThan(bounds[i] as number);
  }
});
