/** What 48 bits hold: the year 10889. */
const MAX_TIME = 2 ** 48 - 1;

/**
 * The id of a new batch: a UUID of version 7 (RFC 9562, section 5.7), which begins with the time. Ids that are made
 * together lie together in the collector's table, so that a commit touches a page or two of it instead of one for each
 * batch.
 *
 * @param now epoch ms
 * @param random a UUID of version 4, from which the 74 other bits are taken
 */
export function batchId(now: number, random: string): string {
  const time = Math.min(Math.max(Math.floor(now), 0), MAX_TIME)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
