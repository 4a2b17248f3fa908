import { CONNECTION, HANDSHAKE, TLS } from '../../reductions/request-table.ts';
import type { Waits } from './waits.ts';

/** Servers keep a session for an hour or more: a browser that comes back sooner can resume it. */
const RESUMABLE_MS = 3_600_000;
/** Of a browser that uses each ticket once and whose earlier handshakes are not among the rows: as often as not. */
const UNKNOWN_SHARE = 0.5;

/** Session tickets of one browser for one host. */
interface Ticket {
  readonly from: number;
  /** How much of it is left, 0 to 1. */
  share: number;
}

/**
 * Replays the handshakes of each browser with each host as if the server gave a ticket with every full one, and resolves per row
 * with how likely it would have been resumed, 0 to 1; NaN if it has no handshake.
 *
 * No ticket has arrived yet where the first handshakes of a browser begin at the same time. Firefox uses each ticket once
 * (https://bugzilla.mozilla.org/show_bug.cgi?id=1861878), and servers give none when they resume a session of TLS 1.2 (RFC 5077, section
 * 3.3, leaves it to them), so that full and resumed handshakes alternate. Chromium keeps a session of TLS 1.2. With TLS 1.3 every
 * handshake is taken to bring a new ticket.
 */
export function replayTickets({ table, hosts, host }: Waits): Float32Array {
  const { ttlb, wait, receive, tls } = table.times;
  const likely = new Float32Array(table.n).fill(Number.NaN);
  const pools = new Map<number, Ticket[]>();
  const endOf = (row: number) =>
    (table.at[row] as number) + (ttlb[row] as number) - (wait[row] as number) - (receive[row] as number);
  const beginOf = (row: number) => endOf(row) - (tls[row] || 0);
  // Errors and redirects shook hands too.
  const rows = new Int32Array(table.n)
    .map((_, row) => row)
    .filter(
      (row) =>
        table.connection[row] === CONNECTION.new &&
        (table.handshake[row] !== HANDSHAKE.unknown || (tls[row] as number) > 0) &&
        !Number.isNaN(endOf(row)),
    )
    .sort((a, b) => beginOf(a) - beginOf(b));
  for (const row of rows) {
    const browser = table.browser[row] as number;
    const isOnce = table.browsers[browser]?.engine === 'firefox' && table.tls[row] !== TLS.from13;
    const id = browser * hosts.length + (host[row] as number);
    const comesBack = (table.idle[row] as number) <= RESUMABLE_MS;
    const known = pools.get(id) ?? [{ from: Number.NEGATIVE_INFINITY, share: isOnce ? UNKNOWN_SHARE : 1 }];
    const pool = (comesBack ? known : []).filter(({ share }) => share > 0);
    pools.set(id, pool);
    const isResumed = table.handshake[row] === HANDSHAKE.resumed;
    const taken = take(pool, beginOf(row), isOnce);
    likely[row] = isResumed ? 1 : taken;
    if (!isResumed && taken < 1) pool.push({ from: endOf(row), share: 1 - taken });
  }
  return likely;
}

/** Up to one ticket of those that have arrived. */
function take(pool: readonly Ticket[], at: number, isOnce: boolean): number {
  let taken = 0;
  for (const ticket of pool) {
    if (ticket.from > at) continue;
    const part = Math.min(ticket.share, 1 - taken);
    taken += part;
    if (isOnce) ticket.share -= part;
  }
  return taken;
}
