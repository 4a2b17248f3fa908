import type { Phase } from '../../shared/vocabulary/time-names.ts';

/**
 * What slow requests may have in common. Where two are equivalent, the earlier one says better where to look. `client` is a single
 * browser, `browser` its kind; `size` a class of bodies, `retransmission` a step in which lost packets are sent again.
 */
export const SLOW_DIMENSIONS = [
  'retransmission',
  'template',
  'host',
  'type',
  'client',
  'site',
  'browser',
  'protocol',
  'connection',
  'status',
  'size',
  'hourOfDay',
  'hourOfWeek',
] as const;
export type SlowDimension = (typeof SLOW_DIMENSIONS)[number];

/** RFC 6298: a lost SYN is sent again after 1 s, then after 2 s and 4 s more. Resolvers ask again after 5 s (resolv.conf). */
export const RETRANSMISSIONS = ['tcp_1s', 'tcp_3s', 'tcp_7s', 'dns_5s'] as const;
/** No connection was opened, or without such a step. */
export const NOT_RETRANSMITTED = 'none';

/** The usable requests of a cell, one row each. */
export interface SlowGroupRows {
  readonly n: number;
  /** 1 for a request of the slow group. */
  readonly slow: Uint8Array;
  /** Index into `values.client`, and hours since 1970: requests of one browser, or of one hour, are not independent. */
  readonly client: Int32Array;
  readonly hour: Int32Array;
  /** ms. */
  readonly ttlb: Float32Array;
  /** ms, NaN if unknown. */
  readonly phases: Readonly<Record<Phase, Float32Array>>;
  /** Index into `values`; −1 if it was not reported. */
  readonly codes: Readonly<Record<SlowDimension, Int32Array>>;
  readonly values: Readonly<Record<SlowDimension, readonly string[]>>;
}
