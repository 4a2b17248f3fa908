const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const TENTH = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** What stands where a number is unknown. The reason stands beside it. */
export const DASH = '–';

/**
 * Milliseconds without the unit. One decimal below 10, where 0.1 ms is what Chromium's timer can tell; whole numbers
 * above. A true 0 is `0`; what would round to it is `<0.1`.
 */
export function formatMs(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 0.05) return value < 0 ? '>−0.1' : '<0.1';
  const text = size < 9.95 ? TENTH.format(size) : WHOLE.format(size);
  return value < 0 ? `−${text}` : text;
}

/** The same with its sign, for differences. */
export function formatDifference(value: number): string {
  return value > 0 ? `+${formatMs(value)}` : formatMs(value);
}

export function formatCount(value: number): string {
  return WHOLE.format(value);
}

/** A share 0…1 as percent; shares that would round to 0 or 100 although they are not say so. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.005) return '<1 %';
  if (share < 1 && share > 0.995) return '>99 %';
  return `${WHOLE.format(share * 100)} %`;
}

/** How long ago, in words a person would use. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 5) return 'just now';
  if (seconds < 90) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
