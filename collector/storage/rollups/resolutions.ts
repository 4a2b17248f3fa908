import { calendarMonth, calendarMonthStart } from '../../reductions/browser-count.ts';

export function nameOfDay(day: number): string {
  return new Date(bucketStart('day', day)).toISOString().slice(0, 10);
}

/** Rollups by hour, day and calendar month (UTC), exact values by day. The numbers are stored and must not change. */
export const RESOLUTIONS = { hour: 1, day: 2, month: 3, exact: 4 } as const;
export type Resolution = keyof typeof RESOLUTIONS;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The number of a bucket: hours and days since 1970, months since January of year 0. */
export function bucketAt(resolution: Resolution, at: number): number {
  if (resolution === 'hour') return Math.floor(at / HOUR_MS);
  if (resolution !== 'month') return Math.floor(at / DAY_MS);
  return calendarMonth(at);
}

/** The first moment of a bucket, epoch ms; it ends where the next one starts. */
export function bucketStart(resolution: Resolution, bucket: number): number {
  if (resolution === 'hour') return bucket * HOUR_MS;
  if (resolution !== 'month') return bucket * DAY_MS;
  return calendarMonthStart(bucket);
}
