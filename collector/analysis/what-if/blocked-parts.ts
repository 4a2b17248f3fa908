import { findMedian } from '../findings/like-medians.ts';
import type { Waits } from '../findings/waits.ts';
import { OWN_BLOCKED_MS, type ReplayedConnections } from './replay-connections.ts';

/** What `blocked` consists of, ms per row. */
interface BlockedParts {
  /** The browser's own scheduling: typical of the host, learned from requests that found a free connection. */
  readonly own: (row: number) => number;
  /** Waiting for a connection; 0 if unknown. */
  readonly queued: (row: number) => number;
}

export function blockedParts({ timed, left, host, hosts }: Waits, { foundFree }: ReplayedConnections): BlockedParts {
  const values = hosts.map((): number[] => []);
  for (const row of timed) {
    const ms = left.blocked[row] as number;
    if (foundFree[row] === 1 && !Number.isNaN(ms)) values[host[row] as number]?.push(ms);
  }
  const medians = values.map((ms) => findMedian(Float64Array.from(ms)) || 0);
  const own = (row: number) => Math.max(OWN_BLOCKED_MS, medians[host[row] as number] as number);
  return {
    own,
    queued: (row) => Math.max(0, (left.blocked[row] as number) - own(row)) || 0,
  };
}
