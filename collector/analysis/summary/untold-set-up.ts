import type { CellAggregate } from '../../reductions/cell-aggregate.ts';

type SetUpParts = Pick<CellAggregate, 'times' | 'unknown' | 'setupPerConnection'>;

/** New connections whose part of the set-up is not told, though they had one. */
export function untoldConnections({ unknown }: Pick<CellAggregate, 'unknown'>, phase: 'tcp' | 'tls'): number {
  const reasons = unknown[phase];
  return (reasons?.begun_earlier ?? 0) + (reasons?.queued ?? 0) + (reasons?.no_tls_stamp ?? 0);
}

/**
 * What requests waited for connections in undivided set-ups, beyond the parts that are told, µs in all. It is the end of a
 * TCP handshake, since TLS is told wherever that was still to come.
 */
export function undividedTime({ times: { dns, tcp, tls }, unknown, setupPerConnection }: SetUpParts): number {
  if ((unknown.tcp?.begun_earlier ?? 0) === 0) return 0;
  return Math.max(0, setupPerConnection.sum - dns.sum - tcp.sum - tls.sum);
}
