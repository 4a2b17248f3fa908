/** What one ladder measures. Made from the settings or by `lastbyte probe`. */
export interface SequenceRequest {
  /** Id of the probe. */
  readonly id: string;
  /** Id of the target whose samples these are. */
  readonly target: string;
  /** The resource, without a fragment. */
  readonly url: string;
  /** The same resource over the other scheme; null where there is none. */
  readonly otherUrl: string | null;
  readonly repetitions: number;
  /** Requests to each scheme before anything counts. */
  readonly warmups: number;
  /** Names below the host lead to the same server: any of them is a new connection. */
  readonly wildcard: boolean;
  /** Silence after which the server has ended its connections, ms; null never waits. */
  readonly idleWaitMs: number | null;
  /** Sends the user's cookies. */
  readonly cookies: boolean;
  /** Between two runs, ms; each is drawn from half of it to one and a half. */
  readonly pauseMs: number;
  /** For one run, ms. */
  readonly timeoutMs: number;
  /** For the whole ladder. */
  readonly maxRequests: number;
  readonly serverTimingMetrics: readonly string[];
}

export const DEFAULT_WARMUPS = 2;
export const DEFAULT_PAUSE_MS = 50;
export const DEFAULT_TIMEOUT_MS = 10_000;
/** A new run takes two requests and a reused one takes one; the rest is for runs that were not what was asked. */
export const REQUESTS_PER_REPETITION = 12;

/** Longest that a ladder may become: one may not ask a server for more than this. */
export function requestsFor(repetitions: number, warmups: number): number {
  return repetitions * REQUESTS_PER_REPETITION + 2 * warmups;
}

/** `http:` ↔ `https:` with the default ports; an explicit port is kept, for servers that answer both on one. */
export function otherSchemeOf(url: string): string {
  return url.startsWith('https:') ? `http:${url.slice(6)}` : `https:${url.slice(5)}`;
}
