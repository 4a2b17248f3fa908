/** What one probe sequence measures. Made from the settings or by `lastbyte probe`. */
export interface SequenceRequest {
  /** Id of the probe. */
  readonly id: string;
  /** Id of the target that the samples belong to. */
  readonly target: string;
  /** The resource, without a fragment. */
  readonly url: string;
  /** The same resource over the other scheme; null if there is none. */
  readonly otherUrl: string | null;
  readonly repetitions: number;
  /** Requests to each scheme before anything counts. */
  readonly warmups: number;
  /** Subdomains of the host lead to the same server: each is a new connection. */
  readonly wildcard: boolean;
  /** Idle time after which the server has closed its connections, ms; null never waits. */
  readonly idleWaitMs: number | null;
  /** Sends the user's cookies. */
  readonly cookies: boolean;
  /** Between two requests, ms; each is drawn from half to one and a half times this. */
  readonly pauseMs: number;
  /** For one request, ms. */
  readonly timeoutMs: number;
  /** For the whole sequence. */
  readonly maxRequests: number;
  readonly serverTimingMetrics: readonly string[];
}

export const DEFAULT_WARMUPS = 2;
export const DEFAULT_PAUSE_MS = 50;
export const DEFAULT_TIMEOUT_MS = 10_000;
/** A new connection takes two requests and a reused one takes one; the rest is for those that turned out otherwise. */
export const REQUESTS_PER_REPETITION = 12;

/** The most requests a probe sequence may make; a server must not be asked for more than this. */
export function requestsFor(repetitions: number, warmups: number): number {
  return repetitions * REQUESTS_PER_REPETITION + 2 * warmups;
}

/** Swaps `http:` and `https:` with the default ports; an explicit port is kept, as some servers serve both on one. */
export function toOtherScheme(url: string): string {
  return url.startsWith('https:') ? `http:${url.slice(6)}` : `https:${url.slice(5)}`;
}
