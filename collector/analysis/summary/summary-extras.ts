import { peaks } from '../../../shared/statistics/peaks.ts';
import { sharesAbove } from '../../../shared/statistics/shares-above.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { handshakeRoundTrips } from './handshake-round-trips.ts';
import { serverShares } from './server-share.ts';
import type { Extra, SummaryExtras } from './summary-document.ts';

/** Users notice from here on, and complain from there on, ms. */
export const DEFAULT_THRESHOLDS: readonly number[] = [200, 1000];

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
