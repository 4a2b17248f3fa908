/** The closed value lists of the wire format. Adding a value is a compatible change; renaming one is not. */

/** The engine, not the brand: Chrome and Edge are `chromium`. */
export const BROWSER_ENGINES = ['chromium', 'firefox'] as const;
export type BrowserEngine = (typeof BROWSER_ENGINES)[number];
/** Recordings (HAR) also come from browsers without an extension of ours, and from tools that are none. */
export const BROWSERS = [...BROWSER_ENGINES, 'safari', 'ie', 'other'] as const;
export type Browser = (typeof BROWSERS)[number];

export const SCHEMES = ['http', 'https'] as const;
export type Scheme = (typeof SCHEMES)[number];

export const RESOURCE_TYPES = [
  'document',
  'script',
  'style',
  'image',
  'font',
  'fetch',
  'iframe',
  'media',
  'beacon',
  'other',
] as const;
/** Requests of a path that is kept open by design, such as long-polling: the collector's finding, not a sender's. */
export const LONG_LIVED = 'long_lived';
/** The types of stored samples. */
export const STORED_TYPES = [...RESOURCE_TYPES, LONG_LIVED] as const;
export type ResourceType = (typeof STORED_TYPES)[number];

export const CONNECTIONS = ['new', 'reused', 'cache', 'opaque', 'worker', 'failed', 'unknown'] as const;
export type Connection = (typeof CONNECTIONS)[number];

/** Which fact decided a connection class. */
export const CONNECTION_EVIDENCE = [
  /** The headers crossed the network and the body did not: a 304. */
  'revalidated',
  /** Chromium reports `deliveryType: cache`. */
  'delivery_type_cache',
  /** Chromium served a navigation from an earlier prefetch. */
  'navigational_prefetch',
  /** A body without a single byte transferred. */
  'body_without_transfer',
  /** webRequest.onErrorOccurred named an error for this request. */
  'web_request_error',
  /** Only startTime and responseEnd: how Chromium records a failed fetch. */
  'only_start_and_end',
  /** Hidden stamps on the document's own origin: the request failed, or was redirected to an origin that hides them. */
  'same_origin_without_stamps',
  /** Stamps without a status or a byte, on the document's own origin: how Firefox records an aborted request. */
  'no_answer',
  /** workerStart > 0. */
  'worker_start',
  /** An immediate response without protocol or bytes: how Firefox, with workerStart 0, records a service worker's. */
  'answer_without_transfer',
  /** requestStart is 0 but responseEnd is not: cross-origin without Timing-Allow-Origin. */
  'hidden_stamps',
  /** Firefox stamped a lookup or a connect meant for another connection than the one it used. */
  'taken_over',
  /** connectEnd > connectStart. */
  'connect_took_time',
  /** connectEnd = connectStart = fetchStart: how the specification marks a reused connection. */
  'connect_at_fetch_start',
  /**
   * connectEnd = connectStart, later than fetchStart: Chromium moves the stamps of a preconnected socket to when the request
   * began to wait for it. The request paid for no connection, or for less than a clock step.
   */
  'connect_took_no_time',
  /** The same in Firefox on plain HTTP: a 1 ms clock cannot tell a fast connect from none. */
  'connect_below_clock_step',
  /** The lookup took time and the connect none: a connect below the clock step, or another request's. */
  'lookup_without_connect',
  /** How the stamps contradict each other (StampProblem). */
  'stamps_not_a_time',
  'stamps_negative',
  'stamps_missing',
  'stamps_out_of_order',
  'stamps_in_the_future',
  'stamps_too_long',
  /** The producer of a recording (HAR) does not state which requests shared a connection. */
  'connections_not_recorded',
] as const;
export type ConnectionEvidence = (typeof CONNECTION_EVIDENCE)[number];

export const HANDSHAKES = ['full', 'resumed', 'unknown'] as const;
export type Handshake = (typeof HANDSHAKES)[number];

/** Which fact tells a full handshake from a resumed one: the probe's method, the server, or the number of round trips. */
export const HANDSHAKE_EVIDENCE = ['probe', 'server_timing', 'firefox_tls12_round_trips'] as const;
export type HandshakeEvidence = (typeof HANDSHAKE_EVIDENCE)[number];

export const SCENARIOS = ['http-new', 'http-reused', 'https-reused', 'https-new'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** Source of scripts' samples. Their steps make different requests, so they belong to no scenario. */
export const SCRIPT_SOURCE = 'probe-script';
/** Any other probe: one of a later extension, or an invented one. */
export const OTHER_PROBE = 'probe-other';
/** Source of a load's samples: made by a machine in numbers that no user makes. */
export const LOAD_SOURCE = 'load';
/** The sources of what is sent. Recordings that an admin imports are `har`, or `har-` and a label. */
export const SOURCES = [
  'page',
  ...SCENARIOS.map((scenario) => `probe-${scenario}`),
  SCRIPT_SOURCE,
  OTHER_PROBE,
  LOAD_SOURCE,
];

/** What users and probes measured. Everything else is in no answer that does not ask for its source. */
export function isLive(source: string): boolean {
  return source !== LOAD_SOURCE && !isImported(source);
}

/** `har`, or `har-LABEL`: samples of a recording that an admin imported. They are not current users'. */
export function isImported(source: string): boolean {
  return source === 'har' || source.startsWith('har-');
}

/** `probe-SCENARIO`: made by a probe. */
export function isProbe(source: string): boolean {
  return source.startsWith('probe-');
}

/** Values of `nextHopProtocol` in browsers; any other is stored as `(other)`. */
export const PROTOCOLS = [
  'http/0.9',
  'http/1.0',
  'http/1.1',
  'h2',
  'h2c',
  'h3',
  'h3-27',
  'h3-28',
  'h3-29',
  'h3-30',
  'h3-31',
  'h3-32',
  'h3-33',
  'h3-34',
  'hq',
] as const;

/**
 * Why a sample is counted but excluded from timing statistics. `cache` and `opaque` are not here: they are evidence classes
 * of their own. Each sample has exactly one evidence class.
 */
export const EXCLUSIONS = [
  'failed',
  /** The page gave up before the response had ended. */
  'abandoned',
  'invalid',
  'worker',
  'status',
  'redirect',
  /** The browser answered a challenge (401, 407) on its own: that exchange and its connection are in `blocked`. */
  'challenge',
  'warmup',
  'hidden',
  'bfcache',
  'prerender',
  'rule',
  /** A probe's request whose own entry does not prove what was intended. */
  'unproven',
] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];

/** Which moment ended `wait`; normally `response_start`. */
export const RESPONSE_MARKS = [
  'response_start',
  /** There were Early Hints: `responseStart` is the interim response, the final headers came later. */
  'final_response_headers',
  /** Firefox's stamp was early; the time is from webRequest.onHeadersReceived. */
  'web_request',
] as const;
export type ResponseMark = (typeof RESPONSE_MARKS)[number];

/** Why a time of a sample is null. */
export const UNKNOWN_REASONS = [
  /** Plain HTTP has no TLS phase. */
  'plain_http',
  /** Cross-origin without Timing-Allow-Origin: the browser reports zeros. */
  'opaque',
  /** Served from the browser's cache: nothing went over the network. */
  'cache',
  /** The stamps describe page ↔ service worker. */
  'worker',
  /** The request failed; only its start and end are known. */
  'failed',
  /** Stamps out of order, negative or missing. */
  'invalid',
  /**
   * HTTP/3 sets up transport and TLS in one exchange: `tcp` is null and `tls` includes both. Also used if the protocol is
   * hidden and TLS starts with the connect, since that may be HTTP/3.
   */
  'merged_h3',
  /** From extensions before `begun_earlier`: TCP was done when the request began to wait, and only `tls` remained. */
  'preconnected',
  /**
   * Nothing in the entry proves that the connection was started for this request: Chromium moves earlier stamps to when the
   * request began to wait. The total wait is known, but not how tcp and tls share it.
   */
  'begun_earlier',
  /** Firefox includes the time in the connection queue in the connect, so neither is known. */
  'queued',
  /** A new https connection without `secureConnectionStart`: how tcp and tls share the connect is unknown. */
  'no_tls_stamp',
  /** Cross-origin redirects hide their times; one may have preceded this navigation's `fetchStart`. */
  'hidden_redirect',
  /** Firefox puts the lookup before domainLookupStart: it may be part of `blocked`, which then includes both. */
  'firefox_dns',
  /** Firefox stamps responseStart early after a full TLS 1.3 handshake, and no webRequest times could correct it. */
  'firefox_tls13',
  /** The producer of a recording (HAR) does not state it, or its parts do not add up to the whole. */
  'not_recorded',
] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];
