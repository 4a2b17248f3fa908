import { type Peak, peaks } from '../../../shared/statistics/peaks.ts';
import { type ShareAbove, sharesAbove } from '../../../shared/statistics/shares-above.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { GapCuts } from './gap-cuts.ts';
import { type HandshakeRoundTrips, handshakeRoundTrips } from './handshake-round-trips.ts';
import type { Overhead } from './overhead.ts';
import { type ServerShares, serverShares } from './server-share.ts';
import type { ReadSlowGroup } from './sweep-slow-group.ts';

/** Optional members of a summary's cell: `include=`. */
export const EXTRAS = [
  'serverShares',
  'handshakeRoundTrips',
  'requestsPerConnection',
  'sharesAbove',
  'peaks',
  'overheads',
  'gapCuts',
  'slowGroup',
  'abandoned',
] as const;
export type Extra = (typeof EXTRAS)[number];

/** Users notice from here on, and complain from there on, ms. */
export const DEFAULT_THRESHOLDS: readonly number[] = [200, 1000];

/** Requests that their page gave up: each would have taken at least as long as the page waited. */
export interface AbandonedAfter {
  readonly n: number;
  readonly median: number;
  /** Share of the range's samples that were read. */
  readonly readShare: number;
}

/** Only requested members are present. Times in milliseconds. */
export interface SummaryExtras {
  readonly serverShares?: ServerShares;
  /** Only meaningful for a cell of one host. */
  readonly handshakeRoundTrips?: HandshakeRoundTrips;
  /** null without a new connection. */
  readonly requestsPerConnection?: number | null;
  /** Share of requests whose `ttlb` is above each threshold; null without values. */
  readonly sharesAbove?: readonly ShareAbove[] | null;
  /** Modes of `ttlb`; null below 200 values. */
  readonly peaks?: readonly Peak[] | null;
  /** What each scenario adds to its baseline, in `ttlb`, regardless of filters by connection. */
  readonly overheads?: readonly Overhead[];
  /** The gap by host, browser and hour; `browsers` is null for viewers who may not see individual browsers. */
  readonly gapCuts?: { readonly [K in keyof GapCuts]: GapCuts[K] | null };
  /** What the requests beyond the gap's `tailFrom` have in common, set-up included; null without a gap. */
  readonly slowGroup?: ReadSlowGroup | null;
  /** How long pages waited for the requests that they gave up; null if there are none, or of too few browsers to be shown. */
  readonly abandoned?: AbandonedAfter | null;
}

/** The extras that can be computed from the cell's aggregate alone. */
export function toExtras(
  aggregate: CellAggregate,
  wanted: readonly Extra[],
  thresholds: readonly number[] = DEFAULT_THRESHOLDS,
): SummaryExtras {
  const { ttlb } = aggregate.times;
  const above = () =>
    sharesAbove(
      ttlb,
      thresholds.map((ms) => ms * 1000),
    )?.map((share) => ({ ...share, threshold: share.threshold / 1000 })) ?? null;
  return {
    ...(wanted.includes('serverShares') ? { serverShares: serverShares(aggregate) } : {}),
    ...(wanted.includes('handshakeRoundTrips') ? { handshakeRoundTrips: handshakeRoundTrips(aggregate) } : {}),
    ...(wanted.includes('requestsPerConnection') ? { requestsPerConnection: requestsPerConnection(aggregate) } : {}),
    ...(wanted.includes('sharesAbove') ? { sharesAbove: above() } : {}),
    ...(wanted.includes('peaks')
      ? { peaks: peaks(ttlb, aggregate.clockStep ?? 0)?.map((peak) => ({ ...peak, at: peak.at / 1000 })) ?? null }
      : {}),
  };
}

/**
 * Network requests ÷ new connections. An estimate: browsers don't identify connections, and one that was preconnected,
 * or opened by a page outside the targets, looks reused. null without a new connection.
 */
export function requestsPerConnection({ connections }: Pick<CellAggregate, 'connections'>): number | null {
  const opened = connections.new ?? 0;
  return opened === 0 ? null : (opened + (connections.reused ?? 0)) / opened;
}
