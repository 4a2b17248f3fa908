import type { Settings } from './settings-schema.ts';

/** Days each level is kept; null keeps it for ever. */
export interface Retention {
  readonly sampleDays: number;
  readonly hourDays: number;
  readonly dayDays: number;
  readonly monthDays: number | null;
}

/** Samples 30 days, hours 90 days, days 2 years, months for ever. */
const DEFAULT_RETENTION: Retention = { sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null };

/** What the settings say, and the default where they say nothing. */
export function retentionOf({ retention }: Settings): Retention {
  return { ...DEFAULT_RETENTION, ...retention };
}

/** The first level that is kept shorter than the one finer than it, which it is made from; null where none is. */
export function shorterLevel(retention: Retention): keyof Retention | null {
  const { sampleDays, hourDays, dayDays } = retention;
  if (hourDays < sampleDays) return 'hourDays';
  if (dayDays < hourDays) return 'dayDays';
  return (retention.monthDays ?? Number.POSITIVE_INFINITY) < dayDays ? 'monthDays' : null;
}
