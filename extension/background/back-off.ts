const FIRST_MS = 2_000;
const LONGEST_MS = 15 * 60_000;

/**
 * How long to wait after the n-th failure in a row (n ≥ 1), ms: doubled each time, and drawn from the upper half, so
 * that browsers that lost the collector together do not come back together.
 */
export function backOff(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  return longest / 2 + (longest / 2) * random;
}

/** Retry-After is seconds or an HTTP date (RFC 9110 §10.2.3); null where it is neither. */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header) * 1000, LONGEST_MS * 4);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), LONGEST_MS * 4);
}
