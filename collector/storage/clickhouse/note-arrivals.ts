import { randomUUID } from 'node:crypto';
import type { Digest } from '../rollups/row-digest.ts';
import type { ClickHouse } from './open-clickhouse.ts';

/**
 * Raises or lowers what has arrived of hours: sums of the table wrap.
 *
 * @param why begins the name of the block
 */
export async function noteArrivals(
  clickHouse: ClickHouse,
  why: string,
  changes: readonly (readonly [hour: number, change: Readonly<Digest>])[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(
    ([hour, { n, a, b }]) =>
      `(${hour}, '${why} ${randomUUID()}', ${BigInt.asUintN(64, BigInt(n))}, ${a >>> 0}, ${b >>> 0})`,
  );
  await clickHouse.run(`INSERT INTO arrival VALUES ${rows.join(', ')}`);
}
