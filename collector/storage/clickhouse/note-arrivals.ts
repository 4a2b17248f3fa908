import { randomUUID } from 'node:crypto';
import type { Digest } from '../rollups/row-digest.ts';
import type { ClickHouse } from './blocking-query.ts';

/**
 * Raises or lowers what has arrived of hours: sums of the table wrap.
 *
 * @param why begins the name of the block
 */
export function noteArrivals(
  clickHouse: ClickHouse,
  why: string,
  changes: readonly (readonly [hour: number, change: Readonly<Digest>])[],
): void {
  if (changes.length === 0) return;
  const rows = changes.map(
    ([hour, { n, a, b }]) =>
      `(${hour}, '${why} ${randomUUID()}', ${BigInt.asUintN(64, BigInt(n))}, ${a >>> 0}, ${b >>> 0})`,
  );
  clickHouse.run(`INSERT INTO arrival VALUES ${rows.join(', ')}`);
}
