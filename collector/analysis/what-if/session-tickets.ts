import { CONNECTION, HANDSHAKE } from '../../reductions/request-table.ts';
import { findMedian } from '../findings/like-medians.ts';
import { replayTickets } from '../findings/replay-tickets.ts';
import type { Waits } from '../findings/waits.ts';
import { SavedTime, type Units } from './saved-time.ts';
import { MIN_REQUESTS, type Saving, unknownSaving } from './saving.ts';

/** What a server takes for a resumed handshake beyond the round trip, where none was seen: 1 ± 1 ms. */
const RESUMED_SERVER_MS = 1;
const REMEDY = { remedy: 'session_tickets' } as const;

/** What it would save if the server gave tickets and browsers used them as they do. */
export function predictSessionTickets(waits: Waits, units: Units, minBrowsers: number): Saving {
  const { timed, table, left, host } = waits;
  const told: number[] = [];
  let handshakes = 0;
  for (const row of timed) {
    if (table.connection[row] !== CONNECTION.new) continue;
    if (table.handshake[row] !== HANDSHAKE.unknown) told.push(row);
    if (table.handshake[row] !== HANDSHAKE.unknown || !Number.isNaN(left.tls[row] as number)) handshakes++;
  }
  if (told.length < MIN_REQUESTS) {
    return unknownSaving(REMEDY, handshakes < MIN_REQUESTS ? 'too_few_requests' : 'handshake_not_told');
  }
  const beyond = beyondRoundTrip(waits, told);
  const costOf = (row: number) =>
    (left.tls[row] as number) - (left.tcp[row] as number) - (beyond.get(host[row] as number) ?? RESUMED_SERVER_MS);
  const likely = replayTickets(waits);
  const resumable = told.filter((row) => table.handshake[row] === HANDSHAKE.full && (likely[row] as number) > 0);
  const costs = resumable.map(costOf).filter((ms) => !Number.isNaN(ms));
  // Where a browser does not report the parts of a set-up, the mean of those that do stands in.
  const mean = costs.reduce((sum, ms) => sum + ms, 0) / costs.length;
  const saved = new SavedTime(waits, units);
  for (const row of resumable) {
    if (Number.isNaN(mean)) break;
    const unsure = beyond.has(host[row] as number) ? 0 : RESUMED_SERVER_MS;
    const ms = costOf(row);
    const share = likely[row] as number;
    saved.add(row, (Number.isNaN(ms) ? mean : ms) * share, [unsure * share, unsure * share]);
  }
  const full = told.filter((row) => table.handshake[row] === HANDSHAKE.full).length;
  return saved.saving({ ...REMEDY, facts: { handshakes: told.length, full } }, minBrowsers);
}

/** By host, what its resumed handshakes take beyond the round trip of their connect; absent where there are too few. */
function beyondRoundTrip({ table, left, host }: Waits, told: readonly number[]): ReadonlyMap<number, number> {
  const values = new Map<number, number[]>();
  for (const row of told) {
    if (table.handshake[row] !== HANDSHAKE.resumed) continue;
    const own = values.get(host[row] as number) ?? [];
    values.set(host[row] as number, own);
    const ms = (left.tls[row] as number) - (left.tcp[row] as number);
    if (!Number.isNaN(ms)) own.push(ms);
  }
  return new Map(
    [...values]
      .filter(([, own]) => own.length >= MIN_REQUESTS)
      .map(([key, own]) => [key, findMedian(Float64Array.from(own))]),
  );
}
