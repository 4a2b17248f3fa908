import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { middleHalfMean } from '../../../shared/statistics/middle-half.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { undividedTime } from './per-request.ts';
import type { Judgement, Verdict, VerdictWord } from './summary-document.ts';

/** The largest part of ttlb decides only if it is at least this part of it … */
export const MIN_LEADING_SHARE = 0.4;
/** … and this many times the second. */
export const MIN_LEAD = 1.5;

type Part = Exclude<VerdictWord, 'unknown'>;

/** Where a request's time goes, per request, µs. */
interface Division {
  readonly whole: number;
  readonly tls: number;
  /** Set-up without TLS. */
  readonly setUp: number;
  readonly wait: number;
  readonly download: number;
  readonly client: number;
  /** The part of `wait` that is a round trip; null if none was measured. */
  readonly trip: number | null;
  /** The part of `tls` that is HTTP/3's handshake; if that is not known, its lower and upper bound. */
  readonly merged: readonly number[];
}

/**
 * What users mostly wait for, once in the average request and once in a typical one. `wait` includes one round trip,
 * which belongs to the network; the rest is the server, or everything behind the first TCP endpoint where that is a
 * proxy or CDN.
 */
export function toVerdict(aggregate: CellAggregate): Verdict {
  const { usable } = aggregate.evidence;
  const { n } = aggregate.times.ttlb;
  return {
    ...judge(n, averageOf(aggregate)),
    coverage: usable === 0 ? 0 : aggregate.complete / usable,
    n,
    typical: judge(n, typicalOf(aggregate)),
  };
}

function judge(n: number, { whole, trip, merged, ...parts }: Division): Judgement {
  if (n === 0 || whole === 0) return { verdict: 'unknown', reason: 'no_samples', shares: null };
  const { download, client } = parts;
  // If the wait or the handshakes can't be divided, a part leads only if no possible division puts another one ahead of
  // it.
  const words = (trip === null ? [0, parts.wait] : [trip]).flatMap((network) =>
    merged.map((joined) => {
      const tls = parts.tls - joined;
      return leader(
        { tls, network: parts.setUp + joined + network, server: parts.wait - network, download, client },
        whole,
      );
    }),
  );
  const joined = merged.length === 1 ? (merged[0] ?? 0) : null;
  const verdict = words.every((word) => word === words[0]) ? (words[0] ?? 'unknown') : 'unknown';
  return {
    verdict,
    reason: verdict !== 'unknown' ? null : trip === null ? 'no_round_trip' : 'no_leader',
    shares: {
      tls: joined === null ? null : (parts.tls - joined) / whole,
      network: trip === null || joined === null ? null : (parts.setUp + joined + trip) / whole,
      server: trip === null ? null : (parts.wait - trip) / whole,
      download: download / whole,
      client: client / whole,
    },
  };
}

/** Sums over all usable requests, so a handshake paid by few counts little, and a slow group much. */
function averageOf(aggregate: CellAggregate): Division {
  const { times, waitRoundTrips } = aggregate;
  return {
    whole: times.ttlb.sum,
    tls: times.tls.sum,
    setUp: times.dns.sum + times.tcp.sum + undividedTime(aggregate),
    wait: times.wait.sum,
    download: times.receive.sum,
    client: times.blocked.sum,
    // A sketch's midpoints may add up to a little more.
    trip: times.wait.n === 0 ? 0 : waitRoundTrips && Math.min(waitRoundTrips, times.wait.sum),
    merged: mergedHandshakes(aggregate),
  };
}

/**
 * The middle half of each part, over all requests: a reused connection counts 0. Rollups do not record which phases
 * belong to which `ttlb`, so each part has its own middle half, and they need not add up to that of `ttlb`.
 */
function typicalOf({ times, setupPerRequest, roundTrip, unknown }: CellAggregate): Division {
  const { n } = times.ttlb;
  // Requests whose time is unknown have no part, as in the average.
  const typical = (time: Distribution) => (n === 0 ? 0 : (middleHalfMean(time) * time.n) / n);
  const reused = Math.max(0, setupPerRequest.n - times.tls.n);
  const tls = n === 0 ? 0 : (middleHalfMean(times.tls, reused) * (times.tls.n + reused)) / n;
  const setUp = Math.max(0, typical(setupPerRequest) - tls);
  const wait = typical(times.wait);
  const [download, client] = [typical(times.receive), typical(times.blocked)];
  const merged = mergedCount({ times, unknown });
  return {
    whole: Math.max(typical(times.ttlb), tls + setUp + wait + download + client),
    tls,
    setUp,
    wait,
    download,
    client,
    trip: times.wait.n === 0 ? 0 : roundTrip.n === 0 ? null : Math.min((medianOf(roundTrip) * times.wait.n) / n, wait),
    merged: merged === 0 ? [0] : merged === times.tls.n ? [tls] : [0, tls],
  };
}

/**
 * HTTP/3 opens its transport and TLS in one exchange, whose time is in `tls` and mostly round trips: network.
 *
 * @returns their total time, µs; if there are separate handshakes too, its lower and upper bound
 */
function mergedHandshakes(aggregate: CellAggregate): readonly number[] {
  const { tls } = aggregate.times;
  const merged = mergedCount(aggregate);
  if (merged === 0) return [0];
  return merged === tls.n ? [tls.sum] : [tls.sum - tls.sumOfLargest(tls.n - merged), tls.sumOfLargest(merged)];
}

function mergedCount({ times, unknown }: Pick<CellAggregate, 'times' | 'unknown'>): number {
  return Math.min(unknown.tcp?.merged_h3 ?? 0, times.tls.n);
}

function medianOf(distribution: Distribution): number {
  return distribution.valueAtRank(quantileRank(0.5, distribution.n));
}

function leader(parts: Record<Part, number>, whole: number): VerdictWord {
  const [first, second] = (Object.entries(parts) as [Part, number][]).sort((a, b) => b[1] - a[1]);
  if (!first || !second) return 'unknown';
  return first[1] >= MIN_LEADING_SHARE * whole && first[1] >= MIN_LEAD * second[1] ? first[0] : 'unknown';
}
