/** Fewer requests of a path say nothing about it. */
const MIN_REQUESTS = 10;
/** If half of a path's requests take this long, they are kept open by design, and no user is waiting. */
const LONG_MS = 10_000;
/** A shorter time on which requests agree may be the server's own. */
export const MIN_FIXED_MS = 5000;
/** Times that agree, such as 30.0 s, are within this of each other. */
const SAME = 1.02;
/** Of its requests, those that have to last for a path to stay long-lived: answers may come early for a while. */
const STAYS_SHARE = 1 / 4;

/**
 * Whether a path is kept open by design, as long-polling and event streams are: at least half of its requests last for more
 * than 10 s, or for the same time of 5 s or more. Once it is known as such, a quarter that lasts for 5 s is enough.
 *
 * @param times of its recent requests, ms; 0 for one that did not spend its time in `wait` or `receive` alone
 */
export function isLongLived(times: readonly number[], wasLongLived = false): boolean {
  const n = times.length;
  if (n < MIN_REQUESTS) return wasLongLived;
  if (wasLongLived) return times.filter((time) => time >= MIN_FIXED_MS).length >= STAYS_SHARE * n;
  return 2 * times.filter((time) => time > LONG_MS).length > n || 2 * mostAlike(times) >= n;
}

/** The most times of at least 5 s that agree. */
function mostAlike(times: readonly number[]): number {
  const sorted = times.filter((time) => time >= MIN_FIXED_MS).sort((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (let last = 0; last < sorted.length; last++) {
    while ((sorted[last] as number) > SAME * (sorted[first] as number)) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
