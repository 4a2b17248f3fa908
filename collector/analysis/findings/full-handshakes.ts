import { HANDSHAKE } from '../../reductions/request-table.ts';
import { type Candidate, type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';
import { replayTickets } from './replay-tickets.ts';
import { dayName, type Waits } from './waits.ts';

/** Of the handshakes that could have been resumed. */
const MANY_FULL = 0.8;
const FEW_FULL = 0.4;
const MIN_HANDSHAKES = 20;

/** A host that does not resume sessions, never or not from some day on, as its Server-Timing says. */
export const findFullHandshakes: Detector = (waits) => {
  const likely = replayTickets(waits);
  return waits.hosts.flatMap((_, host) => handshakesOf(waits, host, likely));
};

/** @param likely how likely each handshake would have been resumed */
function handshakesOf(waits: Waits, host: number, likely: Float32Array): Candidate[] {
  const { timedOf, table, left, day } = waits;
  const told: number[] = [];
  for (const row of timedOf.host[host] as Int32Array) {
    if (table.handshake[row] === HANDSHAKE.unknown) continue;
    if ((likely[row] as number) > 0 && !Number.isNaN(left.tls[row] as number)) told.push(row);
  }
  if (told.length < MIN_HANDSHAKES) return [];
  const isFull = (row: number) => table.handshake[row] === HANDSHAKE.full;
  const from = startOfFull(told.map((row) => ({ day: day[row] as number, full: isFull(row) })));
  if (from === null) return [];
  const resumed = told.filter((row) => !isFull(row)).map((row) => left.tls[row] as number);
  // Without a single resumed one, the round trip that resumption takes is all that is left of it.
  const usual =
    resumed.length < MIN_HANDSHAKES ? null : (resumed.sort((a, b) => a - b)[Math.floor(resumed.length / 2)] as number);
  const costOf = (row: number) => {
    const roundTrip = Number.isNaN(left.tcp[row] as number) ? (left.tls[row] as number) : (left.tcp[row] as number);
    return (
      (likely[row] as number) * ((left.tls[row] as number) - Math.min(usual ?? Number.POSITIVE_INFINITY, roundTrip))
    );
  };
  const sums = new UnitSums();
  const since = from > 0 ? from : null;
  const affected = told.filter((row) => isFull(row) && (since === null || (day[row] as number) >= since));
  let placeMs = 0;
  for (const row of affected) {
    placeMs += left.tls[row] as number;
    sums.add(table.browser[row] as number, costOf(row));
  }
  return [
    {
      kind: 'full_handshakes',
      place: { ...ANYWHERE, host: waits.hosts[host] as string },
      phase: 'tls',
      since: since === null ? null : dayName(since),
      facts: {
        fullShare: affected.length / told.filter((row) => since === null || (day[row] as number) >= since).length,
        perHandshakeMs: sums.total / Math.max(1, sums.affected),
      },
      affectedRequests: sums.affected,
      units: sums.units(),
      placeMs,
      cure() {
        for (const row of affected) {
          const cost = costOf(row);
          left.tls[row] = (left.tls[row] as number) - cost;
          left.ttlb[row] = (left.ttlb[row] as number) - cost;
          table.handshake[row] = HANDSHAKE.unknown;
        }
      },
    },
  ];
}

/** The day from which on nearly all handshakes are full; 0 if they always were, null if they are not. */
function startOfFull(handshakes: readonly { readonly day: number; readonly full: boolean }[]): number | null {
  const full = handshakes.filter(({ full: is }) => is).length;
  if (full >= MANY_FULL * handshakes.length) return 0;
  const days = [...new Set(handshakes.map(({ day }) => day))].sort((a, b) => a - b);
  let best: number | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const first of days.slice(1)) {
    // As many as possible on the right side: the maximum of the likelihood of one step.
    const wrong = handshakes.filter(({ day, full: is }) => day >= first !== is).length;
    if (wrong < fewest) [best, fewest] = [first, wrong];
  }
  if (best === null) return null;
  const [before, after] = [
    handshakes.filter(({ day }) => day < (best as number)),
    handshakes.filter(({ day }) => day >= (best as number)),
  ];
  const share = (some: typeof handshakes) => some.filter(({ full: is }) => is).length / some.length;
  if (before.length < MIN_HANDSHAKES || after.length < MIN_HANDSHAKES) return null;
  return share(after) >= MANY_FULL && share(before) <= FEW_FULL ? best : null;
}
