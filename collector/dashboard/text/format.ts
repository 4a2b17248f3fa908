import type { Unit } from '../../analysis/tables/table-document.ts';
import { DASH } from '../../analysis/text/numbers.ts';
import { t } from './t.ts';

const { ms, difference, count, wholeShare, upTo, rate } = t.numbers;
const KB = 1024;

/** Numbers and units as the dashboard writes them. */
export { count as formatCount, DASH, difference as formatDifference, ms as formatMs, wholeShare as formatShare };

/** Headings carry the unit, so that cells need none; bytes choose theirs by size. */
export const UNIT_LABELS: Readonly<Record<Unit, string>> = {
  text: '',
  count: '',
  ms: 'ms',
  s: 's',
  share: '%',
  ratio: '×',
  per_second: '/s',
  bytes: '',
  kb_per_second: 'KB/s',
  number: '',
};

/** A cell of a table on the screen. */
export function formatUnit(value: string | number | null, unit: Unit): string {
  if (value === null) return DASH;
  if (typeof value === 'string') return value;
  switch (unit) {
    case 'ms':
      return ms(value);
    case 'share':
      return wholeShare(value);
    case 'bytes':
      return formatBytes(value);
    case 'count':
      return count(value);
    case 's':
      return upTo(value, value < 10 ? 2 : 0);
    case 'per_second':
      return rate(value, (large) => upTo(large, 2));
    case 'kb_per_second':
      return rate(value, (large) => upTo(large, 1));
    default:
      return upTo(value, 2);
  }
}

/** `812 B`, `14.2 KB`, `3.1 MB`: by 1,024, as ApacheBench counts its KB/s. */
export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < KB) return `${count(bytes)} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let size = bytes / KB;
  let at = 0;
  while (Math.abs(size) >= 999.5 && at < units.length - 1) {
    size /= KB;
    at++;
  }
  return `${upTo(size, size < 99.95 ? 1 : 0)} ${units[at]}`;
}

/** The reader's time zone, an IANA name. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Of the reader's zone to UTC at that time. */
export function minutesAhead(at: number): number {
  return -new Date(at).getTimezoneOffset();
}

/** How long ago, in everyday words. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 5) return t.units.justNow;
  if (seconds < 90) return t.units.secondsAgo(seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return t.units.minutesAgo(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 36 ? t.units.hoursAgo(hours) : t.units.daysAgo(Math.round(hours / 24));
}
