import { InvalidArgumentError } from 'commander';
import type { AppDeps } from '../http/api/app-deps.ts';
import { parseRange } from '../outgoing/address-rules.ts';

const MAX_HOPS = 9;

/** Of `--trust-proxy`: how many proxies stand in a row, or from which addresses they come. */
export function parseTrustedProxies(text: string): AppDeps['trustProxy'] {
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops >= 1 && hops <= MAX_HOPS) return hops;
    throw new InvalidArgumentError(`It has to be 1 to ${MAX_HOPS} proxies in a row.`);
  }
  const ranges = text.split(',').map((range) => range.trim());
  try {
    for (const range of ranges) parseRange(range);
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(error.message) : error;
  }
  return ranges;
}
