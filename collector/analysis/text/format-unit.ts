import type { Unit } from '../tables/table-document.ts';
import { DASH, formatCount, formatMs, formatShare } from './format.ts';
import { rateDecimals } from './rate-decimals.ts';

const TWO = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const ONE = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const KB = 1024;

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

/** A cell of a table as a reader sees it. */
export function formatUnit(value: string | number | null, unit: Unit): string {
  if (value === null) return DASH;
  if (typeof value === 'string') return value;
  switch (unit) {
    case 'ms':
      return formatMs(value);
    case 'share':
      return formatShare(value);
    case 'bytes':
      return formatBytes(value);
    case 'count':
      return formatCount(value);
    case 's':
      return value < 10 ? TWO.format(value) : formatCount(value);
    case 'per_second':
      return formatRate(value, TWO);
    case 'kb_per_second':
      return formatRate(value, ONE);
    default:
      return TWO.format(value);
  }
}

/** Small rates keep two figures; what is too rare for six decimals says so, as it is not never. */
function formatRate(perSecond: number, large: Intl.NumberFormat): string {
  const decimals = rateDecimals(perSecond);
  if (decimals === null) return large.format(perSecond);
  return perSecond < 0.000_001 ? '<0.000001' : perSecond.toFixed(decimals);
}

/** `812 B`, `14.2 KB`, `3.1 MB`: by 1,024, as ApacheBench counts its KB/s. */
export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < KB) return `${formatCount(bytes)} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let size = bytes / KB;
  let at = 0;
  while (Math.abs(size) >= 999.5 && at < units.length - 1) {
    size /= KB;
    at++;
  }
  return `${size < 99.95 ? ONE.format(size) : formatCount(size)} ${units[at]}`;
}
