import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { wallTime, zonedMoment } from '../analysis/time/zoned-time.ts';

/** `2026-10` in a zone; null if that is not a month. */
export function monthNamed(text: string, zone: string): TimeRange | null {
  const [, year, month] = /^(?!0000)(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return year === undefined ? null : monthOf(Number(year), Number(month), zone);
}

/** The calendar month before the one that `now` (epoch ms) lies in. */
export function lastMonth(now: number, zone: string): TimeRange {
  const { year, month } = wallTime(now, zone);
  return monthOf(year, month - 1, zone);
}

/** The range to compare with: for a whole month, the preceding month; otherwise the same length just before it. */
export function rangeBefore({ from, to }: TimeRange, zone: string): TimeRange {
  const { year, month } = wallTime(from, zone);
  const own = monthOf(year, month, zone);
  return own.from === from && own.to === to ? monthOf(year, month - 1, zone) : { from: from - (to - from), to: from };
}

function monthOf(year: number, month: number, zone: string): TimeRange {
  return { from: zonedMoment(zone, year, month, 1), to: zonedMoment(zone, year, month + 1, 1) };
}
