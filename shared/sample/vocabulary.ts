/** The closed word lists of the wire. Adding a word is a compatible change; renaming one is not. */

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
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export const CONNECTIONS = ['new', 'reused', 'cache', 'opaque', 'worker', 'failed', 'unknown'] as const;
export type Connection = (typeof CONNECTIONS)[number];

export const HANDSHAKES = ['full', 'resumed', 'unknown'] as const;
export type Handshake = (typeof HANDSHAKES)[number];

export const SCENARIOS = ['http-new', 'http-reused', 'https-reused', 'https-new'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/**
 * Why a sample is counted but kept out of timing statistics. `cache` and `opaque` are not here: they are
 * evidence classes of their own. Each sample has exactly one evidence class.
 */
export const EXCLUSIONS = [
  'failed',
  'invalid',
  'worker',
  'status',
  'redirect',
  'warmup',
  'hidden',
  'bfcache',
  'prerender',
  'rule',
] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];

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
  /** HTTP/3 sets up transport and TLS in one exchange. */
  'merged_h3',
  /** Cross-origin redirects hide their times. */
  'hidden_redirect',
  /** Firefox puts the lookup before domainLookupStart. */
  'firefox_dns',
  /** Firefox fires responseStart early after a full TLS 1.3 handshake, and no webRequest times could correct it. */
  'firefox_tls13',
] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];
