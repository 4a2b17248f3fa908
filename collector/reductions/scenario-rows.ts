/** What only samples tell of a scenario, or of a part of one. */
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
  /** Samples that tell anything of TLS, by version and cipher. */
  readonly tls: Map<string, { readonly version: string; readonly cipher: string; n: number }>;
}

export interface Sum {
  n: number;
  sum: number;
}

/** Instead of a version or a cipher. */
export const UNKNOWN_TLS = '(unknown)';

/** Computing takes both sides of a handshake a few milliseconds: on a shorter path, that is what would be counted, µs. */
const MIN_ROUND_TRIP = 5000;
/** A round trip of fewer is off by a tenth and more. */
const MIN_CLOCK_STEPS = 10;

/** Whether a round trip is long enough for its multiples to be network and not computing or the clock. @param roundTrip µs */
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
