import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { undividedTime } from './per-request.ts';
import type { Verdict, VerdictWord } from './summary-document.ts';

/** The largest part of mean ttlb decides only if it is at least this part of it … */
export const MIN_LEADING_SHARE = 0.4;
/** … and this many times the second. */
export const MIN_LEAD = 1.5;

type Part = Exclude<VerdictWord, 'unknown'>;

/**
 * What users mostly wait for. The parts are sums over all usable requests, so a handshake paid by few counts little.
 * `wait` includes one round trip, which belongs to the network; the rest is the server, or everything behind the first
 * TCP endpoint where that is a proxy or CDN.
 */
export function verdictOf(aggregate: CellAggregate): Verdict {
  const { usable } = aggregate.evidence;
  const { times } = aggregate;
  const whole = times.ttlb.sum;
  const n = times.ttlb.n;
  const coverage = usable === 0 ? 0 : aggregate.complete / usable;
  if (n === 0 || whole === 0) return { verdict: 'unknown', reason: 'no_samples', shares: null, coverage, n };

  const fixed = { download: times.receive.sum, client: times.blocked.sum };
  const setUp = times.dns.sum + times.tcp.sum + undividedTime(aggregate);
  const trips = roundTrips(aggregate);
  const merged = mergedHandshakes(aggregate);
  // If the wait or the handshakes can't be divided, a part leads only if no possible division puts another one ahead of
  // it.
  const words = (trips === null ? [0, times.wait.sum] : [trips]).flatMap((trip) =>
    merged.map((joined) => {
      const parts = { tls: times.tls.sum - joined, network: setUp + joined + trip, server: times.wait.sum - trip };
      return leader({ ...fixed, ...parts }, whole);
    }),
  );
  const joined = merged.length === 1 ? (merged[0] ?? 0) : null;
  const verdict = words.every((word) => word === words[0]) ? (words[0] ?? 'unknown') : 'unknown';
  return {
    verdict,
    reason: verdict !== 'unknown' ? null : trips === null ? 'no_round_trip' : 'no_leader',
    shares: {
      tls: joined === null ? null : (times.tls.sum - joined) / whole,
      network: trips === null || joined === null ? null : (setUp + joined + trips) / whole,
      server: trips === null ? null : (times.wait.sum - trips) / whole,
      download: fixed.download / whole,
      client: fixed.client / whole,
    },
    coverage,
    n,
  };
}

/**
 * HTTP/3 opens its transport and TLS in one exchange, whose time is in `tls` and mostly round trips: network.
 *
 * @returns their total time, µs; if there are separate handshakes too, its lower and upper bound
 */
function mergedHandshakes({ times: { tls }, unknown }: CellAggregate): readonly number[] {
  const merged = Math.min(unknown.tcp?.merged_h3 ?? 0, tls.n);
  if (merged === 0) return [0];
  return merged === tls.n ? [tls.sum] : [tls.sum - tls.sumOfLargest(tls.n - merged), tls.sumOfLargest(merged)];
}

/**
 * The part of all waits that was one round trip each, as a total in µs. The median stands for every request, even for
 * one that has its own round trip: a connect that was retransmitted after a second is already in `tcp`, and no packet
 * of the response took that long. Never more than the wait it is a part of.
 */
function roundTrips({ times, roundTrip }: CellAggregate): number | null {
  if (times.wait.n === 0) return 0;
  if (roundTrip.n === 0) return null;
  const trip = roundTrip.valueAtRank(quantileRank(0.5, roundTrip.n));
  return Math.min(times.wait.cappedSum(trip), times.wait.sum);
}

function leader(parts: Record<Part, number>, whole: number): VerdictWord {
  const [first, second] = (Object.entries(parts) as [Part, number][]).sort((a, b) => b[1] - a[1]);
  if (!first || !second) return 'unknown';
  return first[1] >= MIN_LEADING_SHARE * whole && first[1] >= MIN_LEAD * second[1] ? first[0] : 'unknown';
}
