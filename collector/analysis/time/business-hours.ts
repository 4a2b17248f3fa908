import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { wallTime, zonedMoment } from './zoned-time.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MINUTES_A_DAY = 24 * 60;

/** The hours of a week that count, in local wall-clock time. */
export interface BusinessHours {
  /** As entered. */
  readonly text: string;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Minutes after midnight; `to` is excluded. */
  readonly from: number;
  readonly to: number;
}

/** Such as `Mon-Fri 08:00-18:00` or `Mon,Wed,Sat 09:00-12:30`; null if it is invalid. */
export function parseBusinessHours(text: string): BusinessHours | null {
  const [, days = '', from = '', to = ''] = /^([A-Za-z,-]+) +(\d{2}:\d{2})-(\d{2}:\d{2})$/.exec(text.trim()) ?? [];
  const weekdays = days.split(',').map(daysOf);
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  if (weekdays.some((list) => list === null) || begin === null || end === null || begin >= end) return null;
  return { text: text.trim(), weekdays: new Set(weekdays.flatMap((list) => list ?? [])), from: begin, to: end };
}

/** `Fri-Mon` spans the weekend. */
function daysOf(text: string): number[] | null {
  const [first = '', last = first, more] = text.split('-');
  const [a, b] = [dayOf(first), dayOf(last)];
  if (more !== undefined || a < 0 || b < 0) return null;
  return Array.from({ length: ((b - a + 7) % 7) + 1 }, (_, i) => (a + i) % 7);
}

function dayOf(name: string): number {
  return DAYS.findIndex((day) => day.toLowerCase() === name.toLowerCase());
}

function minutesOf(text: string): number | null {
  const [hour = Number.NaN, minute = Number.NaN] = text.split(':').map(Number);
  const minutes = hour * 60 + minute;
  return minute < 60 && minutes <= MINUTES_A_DAY ? minutes : null;
}

/** The parts of a range within business hours, in order. */
export function rangesWithin({ from, to }: TimeRange, hours: BusinessHours, zone: string): TimeRange[] {
  const ranges: TimeRange[] = [];
  const first = wallTime(from, zone);
  for (let i = -1; ; i++) {
    const start = zonedMoment(zone, first.year, first.month, first.day + i);
    if (start >= to) return ranges;
    const { weekday } = wallTime(start, zone);
    if (!hours.weekdays.has(weekday)) continue;
    const begin = Math.max(from, zonedMoment(zone, first.year, first.month, first.day + i, hours.from));
    const end = Math.min(to, zonedMoment(zone, first.year, first.month, first.day + i, hours.to));
    if (begin < end) ranges.push({ from: begin, to: end });
  }
}

/** Saturday or Sunday; day 0 of the epoch was a Thursday. */
export function isWeekend(day: number): boolean {
  return (day + 3) % 7 >= 5;
}
