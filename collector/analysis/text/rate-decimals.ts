/** Beyond it a rate is one event in more than eleven days. */
const MOST_DECIMALS = 6;

/**
 * Decimals that leave two figures of a rate below 1 per second: 0.00036 is one request in 46 minutes, and 0.00 would call
 * it never. Null from 1 on (and for 0), where each table has decimals of its own.
 */
export function rateDecimals(perSecond: number): number | null {
  const size = Math.abs(perSecond);
  if (size === 0 || size >= 1) return null;
  return Math.min(MOST_DECIMALS, 1 - Math.floor(Math.log10(size)));
}
