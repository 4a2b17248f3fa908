import type { Settings } from './settings-schema.ts';

/** Days each resolution is kept; null keeps it forever. */
export interface Retention {
  readonly sampleDays: number;
  readonly hourDays: number;
  readonly dayDays: number;
  readonly monthDays: number | null;
}

/** Samples 30 days, hours 90 days, days 2 years, months forever. */
const DEFAULT_RETENTION: Retention = { sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null };

/** The settings' retention, with defaults for what they leave out. */
export function readRetention({ retention }: Settings): Retention {
  return { ...DEFAULT_RETENTION, ...retention };
}

/** The first resolution kept shorter than the finer one it is made from; null if there is none. */
export function shorterResolution(retention: Retention): keyof Retention | null {
  const { sampleDays, hourDays, dayDays } = retention;
  if (hourDays < sampleDays) return 'hourDays';
  if (dayDays < hourDays) return 'dayDays';
  return (retention.monthDays ?? Number.POSITIVE_INFINITY) < dayDays ? 'monthDays' : null;
}
