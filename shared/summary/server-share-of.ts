import type { Sample } from '../sample/sample.ts';
import { ownRoundTrip } from './own-round-trip.ts';

/**
 * What is left of the wait after one round trip: `wait` − `tcp` of the same new connection, µs, paired so that a slow
 * path cancels. Negative where the wait was the shorter of the two, and kept so: cutting at 0 would move the median.
 * null where either is unknown (an uncorrected Firefox stamp, HTTP/3, 0-RTT).
 */
export function serverShareOf(sample: Sample): number | null {
  const roundTrip = ownRoundTrip(sample);
  const { wait } = sample.times;
  return roundTrip === null || wait === null ? null : wait - roundTrip;
}
