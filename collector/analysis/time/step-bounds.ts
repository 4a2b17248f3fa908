import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { offset, utc, wallTime, zonedMoment } from './zoned-time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

/** More than the pixel columns of a screen, and enough for the days of five years. Each step is read separately. */
export const MAX_STEPS = 2000;

/** How many steps a range has, give or take one if the clocks change within it. */
export function stepsIn({ from, to }: TimeRange, stepMs: number): number {
  return Math.ceil(to / stepMs) - Math.floor(from / stepMs);
}

/**
 * Where the steps of a timeline begin, and where the last one ends: ascending epoch ms, enclosing the range.
 *
 * In UTC steps begin at multiples of their length. In a zone, days begin at local midnight, so one may last 23 or 25
 * hours, and steps of several hours begin at the same times every day; steps of an hour or less just follow one another
 * from a full step of that clock.
 *
 * @param zone IANA name; null is UTC
 */
export function stepBounds(range: TimeRange, stepMs: number, zone: string | null): number[] {
  if (zone === null) return evenBounds(range, stepMs, 0);
  if (stepMs % DAY_MS === 0) return dayBounds(range, stepMs / DAY_MS, [0], zone);
  if (stepMs > HOUR_MS && DAY_MS % stepMs === 0) {
    const minutes = Array.from({ length: DAY_MS / stepMs }, (_, i) => (i * stepMs) / MINUTE_MS);
    return dayBounds(range, 1, minutes, zone);
  }
  return evenBounds(range, stepMs, offset(range.from, zone));
}

/** Where whole days begin, give or take an hour without samples, and where the last one ends: part of a day is no fair sample of it. */
export function wholeDays({ from, to }: TimeRange, zone: string): number[] {
  const bounds = stepBounds({ from, to }, DAY_MS, zone === 'UTC' ? null : zone);
  return bounds.filter((bound) => bound > from - HOUR_MS && bound < to + HOUR_MS);
}

function evenBounds({ from, to }: TimeRange, stepMs: number, ahead: number): number[] {
  const bounds = [Math.floor((from + ahead) / stepMs) * stepMs - ahead];
  while ((bounds.at(-1) ?? to) < to) bounds.push((bounds.at(-1) ?? to) + stepMs);
  return bounds;
}

/** @param minutes of each day at which a step begins */
function dayBounds({ from, to }: TimeRange, days: number, minutes: readonly number[], zone: string): number[] {
  const { year, month, day } = wallTime(from, zone);
  const today = utc(year, month, day) / DAY_MS;
  const bounds: number[] = [];
  for (let number = Math.floor(today / days) * days; (bounds.at(-1) ?? from) < to; number += days) {
    const date = new Date(number * DAY_MS);
    for (const minute of minutes) {
      const moment = zonedMoment(zone, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), minute);
      // When the clocks go forward, two of them may be the same moment.
      if (moment > (bounds.at(-1) ?? Number.NEGATIVE_INFINITY)) bounds.push(moment);
    }
  }
  const first = bounds.filter((bound) => bound <= from).length - 1;
  const end = bounds.findIndex((bound) => bound >= to);
  return bounds.slice(Math.max(0, first), end + 1);
}
