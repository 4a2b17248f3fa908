import type { TlsFacts } from '../timing/entry-context.ts';
import type { TimeName } from '../vocabulary/time-names.ts';
import type {
  Browser,
  Connection,
  Exclusion,
  Handshake,
  ResourceType,
  ResponseMark,
  Scheme,
  UnknownReason,
} from '../vocabulary/vocabulary.ts';

/**
 * One request of one browser, ready to leave it: no URL, no query, no title, only what a report needs. Durations are whole
 * microseconds, so that known phases add up to `ttlb` exactly.
 */
export interface Sample {
  /** Wall time of `fetchStart` by the browser's own clock, whole epoch milliseconds. */
  readonly at: number;
  /** Id of the target whose page made the request. */
  readonly target: string;
  /**
   * `URL.hostname`, without the port: the same app over HTTP and HTTPS has different ports, and the two have to be
   * comparable. `target` distinguishes two systems on one host name.
   */
  readonly host: string;
  readonly scheme: Scheme;
  /** Path template made in the browser, such as `/orders/{n}`. */
  readonly template: string;
  readonly type: ResourceType;
  /** ALPN id; null if the browser hides it. */
  readonly protocol: string | null;
  /** `page` for real traffic, `probe-<scenario>` for a probe's request. */
  readonly source: string;
  readonly connection: Connection;
  /** Which fact decided the connection class, for the evidence view. */
  readonly connectionEvidence: string;
  readonly handshake: Handshake;
  readonly handshakeEvidence: string | null;
  /** Why this sample is excluded from timing statistics although it is counted; null if it may be used. */
  readonly excluded: Exclusion | null;
  /** HTTP status; null if the browser hides it. */
  readonly status: number | null;
  /** The browser's error code of a failed request, such as `net::ERR_CONNECTION_REFUSED`. */
  readonly error: string | null;
  /** Microseconds, never negative; null means unknown, and then `unknown` says why. */
  readonly times: Readonly<Record<TimeName, number | null>>;
  readonly unknown: Readonly<Partial<Record<TimeName, UnknownReason>>>;
  /** What ended `wait`; absent means `response_start`. Needed for the server share. */
  readonly responseMark?: ResponseMark;
  /** Bytes; null if the browser hides them. */
  readonly transferSize: number | null;
  readonly encodedBodySize: number | null;
  readonly decodedBodySize: number | null;
  /** Milliseconds since this browser's last response from the same origin; null for the first. */
  readonly idleMs: number | null;
  /** Server time from Server-Timing, microseconds. */
  readonly serverTime: number | null;
  /** Allow-listed Server-Timing metrics by name, in the server's own unit. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly tls: TlsFacts | null;
  /** Id of the journey that made the request; absent, like the other two, for any other request. */
  readonly journey?: string | null;
  /** Number of its step, from 1. */
  readonly step?: number | null;
  /** When its run began, by the browser's own clock, epoch ms: with journey and browser it names the run. */
  readonly run?: number | null;
}

/** What all samples of one batch have in common. */
export interface ClientInfo {
  /** Random and pseudonymous; changes on the first of the month. */
  readonly client: string;
  /** The admin's label for the browser's location; empty if none was given. */
  readonly site: string;
  readonly browser: Browser;
  readonly browserVersion: string;
  readonly extensionVersion: string;
  /** Microseconds: 100 in Chromium, 1000 in Firefox. */
  readonly clockStep: number;
}

/** As stored. The key is needed to find what a leaked key wrote; it is never shown to readers of samples. */
export interface StoredClientInfo extends ClientInfo {
  /** Id of the ingest key; absent for what a command wrote, and for what was stored before keys existed. */
  readonly key?: string;
}

/** A sample with its client: what queries see. `at` is corrected to the collector's clock. */
export interface StoredSample extends Sample {
  readonly origin: ClientInfo;
}
