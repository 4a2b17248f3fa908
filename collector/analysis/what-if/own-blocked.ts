import { CONNECTION } from '../../reductions/request-table.ts';
import { medianOf } from '../findings/like-medians.ts';
import type { Waits } from '../findings/waits.ts';
import type { ReplayedConnections } from './replay-connections.ts';

/** A browser's own scheduling takes this long at least, ms. */
export const OWN_BLOCKED_MS = 5;
/** No server closes a connection sooner. */
const OPEN_MS = 1000;

/** By host, what `blocked` typically is where a connection is free: the browser's own scheduling. What is longer is waiting for one. */
export function ownBlocked(
  { timed, table, left, host, hosts }: Waits,
  { idle }: ReplayedConnections,
): (row: number) => number {
  const values = hosts.map((): number[] => []);
  for (const row of timed) {
    const ms = left.blocked[row] as number;
    const isFree = (idle[row] as number) > 0 && (idle[row] as number) <= OPEN_MS;
    if (table.connection[row] !== CONNECTION.reused || !isFree || Number.isNaN(ms)) continue;
    values[host[row] as number]?.push(ms);
  }
  const medians = values.map((own) => medianOf(Float64Array.from(own)) || 0);
  return (row) => Math.max(OWN_BLOCKED_MS, medians[host[row] as number] as number);
}
