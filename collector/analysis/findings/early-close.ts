import { CONNECTION } from '../../reductions/request-table.ts';
import { type Candidate, type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import type { Waits } from './waits.ts';

/**
 * People read a page for ten seconds and more, so that an earlier close meets nearly every next page. Later ones are a choice
 * between a server's memory and its users' time.
 */
const LATEST_EDGE_MS = 10_000;
/** With a time-out of a minute, as most servers have, these connections would still be open. */
const KEPT_MS = 60_000;
/** Share of new connections on both sides of the edge: concurrent requests open some below it, and browsers' other tabs keep some above. */
const MAX_BELOW = 0.3;
const MIN_ABOVE = 0.8;
const MIN_SIDE = 20;

/** A server that closes idle connections sooner than users go on. */
export const findEarlyClose: Detector = (waits) => waits.hosts.flatMap((_, host) => edgeOf(waits, host));

function edgeOf(waits: Waits, host: number): Candidate[] {
  const { timedOf, table, left } = waits;
  const rows: number[] = [];
  for (const row of timedOf.host[host] as Int32Array) {
    if ((table.idle[row] as number) <= KEPT_MS && table.connection[row] !== CONNECTION.other) rows.push(row);
  }
  const edge = edgeIn(
    rows.map((row) => ({ idle: table.idle[row] as number, fresh: table.connection[row] === CONNECTION.new })),
  );
  if (edge === null || edge.at > LATEST_EDGE_MS) return [];
  const sums = new UnitSums();
  let placeMs = 0;
  const after: number[] = [];
  for (const row of rows) {
    placeMs += left.ttlb[row] as number;
    if ((table.idle[row] as number) <= edge.at || table.connection[row] !== CONNECTION.new) continue;
    const setUp = setUpOf(waits, row);
    if (setUp <= 0) continue;
    sums.add(table.browser[row] as number, setUp);
    after.push(row);
  }
  return [
    {
      kind: 'early_close',
      place: { ...ANYWHERE, host: waits.hosts[host] as string },
      phase: null,
      since: null,
      facts: { idleMs: edge.at, newShare: edge.above },
      affectedRequests: sums.affected,
      units: sums.units(),
      placeMs,
      cure() {
        for (const row of after) {
          left.ttlb[row] = Math.max(0, (left.ttlb[row] as number) - setUpOf(waits, row));
          for (const phase of ['dns', 'tcp', 'tls'] as const) left[phase][row] = Number.NaN;
          table.connection[row] = CONNECTION.other;
        }
      },
    },
  ];
}

function setUpOf({ left }: Waits, row: number): number {
  const known = (value: number) => (Number.isNaN(value) ? 0 : value);
  return known(left.dns[row] as number) + known(left.tcp[row] as number) + known(left.tls[row] as number);
}

/** The idle time that divides requests best into those on open and those on new connections; null if none does. */
function edgeIn(
  rows: readonly { readonly idle: number; readonly fresh: boolean }[],
): { at: number; above: number } | null {
  // Whole milliseconds, and whether the connection is new as the last bit: numbers are sorted ten times as fast as objects.
  const sorted = Float64Array.from(rows, ({ idle, fresh }) => 2 * idle + (fresh ? 1 : 0)).sort();
  const idleAt = (index: number) => Math.floor((sorted[index] as number) / 2);
  const fresh = rows.reduce((sum, row) => sum + (row.fresh ? 1 : 0), 0);
  let below = 0;
  let best: { at: number; above: number } | null = null;
  let most = 0;
  for (let n = 1; n < sorted.length; n++) {
    below += (sorted[n - 1] as number) % 2;
    const rest = rows.length - n;
    const idle = idleAt(n - 1);
    if (n < MIN_SIDE || rest < MIN_SIDE || idleAt(n) === idle) continue;
    const shareBelow = below / n;
    const above = (fresh - below) / rest;
    // Youden's index: how well the edge tells both kinds apart.
    if (shareBelow <= MAX_BELOW && above >= MIN_ABOVE && above - shareBelow > most) {
      most = above - shareBelow;
      best = { at: idle, above };
    }
  }
  return best;
}
