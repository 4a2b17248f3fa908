import { expect, test } from 'vitest';
import { parseBusinessHours, rangesWithin } from '../../../collector/analysis/time/business-hours.ts';
import { wallTime, zonedMoment } from '../../../collector/analysis/time/zoned-time.ts';
import { lastMonth, monthNamed, rangeBefore } from '../../../collector/reports/monthly-range.ts';

const BERLIN = 'Europe/Berlin';
const iso = (at: number) => new Date(at).toISOString();

test('a month begins and ends at midnight of its zone, whatever happens to the clock in it', () => {
  const march = monthNamed('2026-03', BERLIN);
  expect([march?.from, march?.to].map((at) => iso(at ?? 0))).toEqual([
    '2026-02-28T23:00:00.000Z',
    '2026-03-31T22:00:00.000Z',
  ]);
  expect(iso(lastMonth(Date.parse('2026-01-15T00:00:00Z'), 'UTC').from)).toBe('2025-12-01T00:00:00.000Z');
  expect(monthNamed('2026-13', BERLIN)).toBeNull();
  expect(monthNamed('October', BERLIN)).toBeNull();
});

test('a whole month is compared with the month before, anything else with as much time before', () => {
  const march = monthNamed('2026-03', 'UTC');
  if (march === null) throw new Error('no month');
  const { from, to } = rangeBefore(march, 'UTC');
  expect([iso(from), iso(to)]).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
  expect(rangeBefore({ from: 1000, to: 1500 }, 'UTC')).toEqual({ from: 500, to: 1000 });
});

test('an hour that the clock leaves out is the moment after; one that it shows twice is the first', () => {
  expect(iso(zonedMoment(BERLIN, 2026, 3, 29, 150))).toBe('2026-03-29T01:30:00.000Z');
  expect(iso(zonedMoment(BERLIN, 2026, 10, 25, 150))).toBe('2026-10-25T00:30:00.000Z');
  expect(wallTime(Date.parse('2026-10-24T22:30:00Z'), BERLIN)).toMatchObject({ day: 25, hour: 0, weekday: 0 });
});

test('business hours of a week with a change of the clock', () => {
  const hours = parseBusinessHours('Fri-Mon 08:00-18:00');
  if (hours === null) throw new Error('not read');
  const week = { from: zonedMoment(BERLIN, 2026, 3, 26), to: zonedMoment(BERLIN, 2026, 4, 1) };
  expect(rangesWithin(week, hours, BERLIN).map(({ from, to }) => [iso(from), iso(to)])).toEqual([
    ['2026-03-27T07:00:00.000Z', '2026-03-27T17:00:00.000Z'],
    ['2026-03-28T07:00:00.000Z', '2026-03-28T17:00:00.000Z'],
    ['2026-03-29T06:00:00.000Z', '2026-03-29T16:00:00.000Z'],
    ['2026-03-30T06:00:00.000Z', '2026-03-30T16:00:00.000Z'],
  ]);
});

test('a range that begins within an hour keeps what is left of it', () => {
  const hours = parseBusinessHours('Mon,Wed 09:00-24:00');
  if (hours === null) throw new Error('not read');
  const range = { from: Date.parse('2026-03-02T10:30:00Z'), to: Date.parse('2026-03-04T09:15:00Z') };
  expect(rangesWithin(range, hours, 'UTC').map(({ from, to }) => [iso(from), iso(to)])).toEqual([
    ['2026-03-02T10:30:00.000Z', '2026-03-03T00:00:00.000Z'],
    ['2026-03-04T09:00:00.000Z', '2026-03-04T09:15:00.000Z'],
  ]);
});

test.each([
  '',
  'Mon',
  '08:00-18:00',
  'Mon-Fri 18:00-08:00',
  'Mo-Fr 08:00-18:00',
  'Mon-Fri 8:00-18:00',
  'Mon-Fri 08:60-18:00',
  'Mon-Fri 08:00-24:30',
])('%j is no business hours', (text) => {
  expect(parseBusinessHours(text)).toBeNull();
});
