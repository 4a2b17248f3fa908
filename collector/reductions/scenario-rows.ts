/** Facts about a scenario, or a part of one, that only samples contain. */
export interface ScenarioRows {
  /** tls ÷ tcp of each new connection. */
  readonly ratios: number[];
  /** Bytes a second. */
  readonly rates: number[];
  readonly transferred: Sum;
  readonly body: Sum;
  /** ms. */
  readonly serverTime: Sum;
  readonly metrics: Map<string, Sum>;
  /** Samples with any TLS facts, by version and cipher. */
  readonly tls: Map<string, { readonly version: string; readonly cipher: string; n: number }>;
}

export interface Sum {
  n: number;
  sum: number;
}

/** Instead of a version or a cipher. */
export const UNKNOWN_TLS = '(unknown)';

/** Both sides of a handshake compute for a few milliseconds, which would dominate on a shorter path, µs. */
const MIN_ROUND_TRIP = 5000;
/** A round trip of fewer steps is off by a tenth or more. */
const MIN_CLOCK_STEPS = 10;

/**
 * Whether a round trip is long enough for its multiples to measure the network rather than computation or the clock.
 * @param roundTrip µs
 */
export function canDivideBy(roundTrip: number, clockStep: number | null): boolean {
  return roundTrip >= MIN_ROUND_TRIP && roundTrip >= MIN_CLOCK_STEPS * (clockStep ?? 0);
}

/** The time of bodies from this size on depends on throughput rather than latency, bytes. */
export const LARGE_BODY = 100 * 1024;

/** Bytes per second of a whole answer, as file transfers count: body ÷ (wait + receive). null if unknown or too small. */
export function largeBodyRate(size: number | null, wait: number | null, receive: number | null): number | null {
  const time = wait === null || receive === null ? 0 : wait + receive;
  return size === null || size < LARGE_BODY || time === 0 ? null : Math.round((size / time) * 1e6);
}
