import type { CellAggregate } from '../../reductions/cell-aggregate.ts';

/**
 * Network requests ÷ new connections. An estimate: the browser names no connections, and one opened ahead by the
 * browser, or by a page outside of the targets, looks reused. null without a new connection.
 */
export function requestsPerConnection({ connections }: Pick<CellAggregate, 'connections'>): number | null {
  const opened = connections.new ?? 0;
  return opened === 0 ? null : (opened + (connections.reused ?? 0)) / opened;
}
