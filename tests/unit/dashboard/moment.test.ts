import { expect, test } from 'vitest';
import {
  formatDay,
  formatMoment,
  formatPeriod,
  formatSpan,
  formatTime,
} from '../../../collector/dashboard/text/moment.ts';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime();

test('a span names its day once, and whole days without times', () => {
  const [one, two, nine, ten] = [at(1, 0), at(2, 0), at(1, 9), at(1, 10)];
  expect(formatSpan(nine, ten)).toBe(`${formatDay(nine)}, ${formatTime(nine)} – ${formatTime(ten)}`);
  expect(formatSpan(nine, at(2, 9))).toBe(
    `${formatDay(nine)}, ${formatTime(nine)} – ${formatDay(two)}, ${formatTime(at(2, 9))}`,
  );
  expect(formatSpan(one, two)).toBe(formatDay(one));
  expect(formatSpan(one, at(3, 0))).toBe(`${formatDay(one)} – ${formatDay(two)}`);
});

test('a period has its year once, and whole days no times', () => {
  expect(formatPeriod(at(1, 0), at(8, 0))).toMatch(/^Mar 1.–.7, 2026$/u);
  expect(formatPeriod(at(1, 0), at(2, 0))).toBe('Mar 1, 2026');
  expect(formatPeriod(at(1, 9), at(8, 0))).toMatch(/2026.*2026/);
});

test('a moment has its year and its minute, in local time', () => {
  expect(formatMoment(at(1, 9, 5))).toMatch(/2026.*0?9:05/);
});
