/**
 * Enforced before memory is allocated; exceeding one of the first two refuses the whole batch, else rows are refused. A body may
 * have as many bytes as sent and as many inflated.
 */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_ROWS = 5_000;
export const MAX_DICTIONARY_ENTRIES = 5_000;
export const MAX_STRING_LENGTH = 512;
export const MAX_METRICS = 32;

/** No phase of a real request lasts longer than a day, µs. */
export const MAX_TIME = 24 * 3600 * 1_000_000;
/** Limit for body bytes and idle ms: a thousand terabytes. Twice the difference of two is still an exact integer. */
export const MAX_SIZE = 2 ** 50;

/** Samples older than this are refused, ms: later ones would reopen rollups that are already pruned. */
export const MAX_AGE_MS = 7 * 24 * 3600 * 1000;
/** A corrected clock may still be this far ahead of the collector's, ms. */
export const MAX_AHEAD_MS = 60 * 1000;

/** Per target and per host; the rest is folded into `(other)` and counted. */
export const MAX_HOSTS_PER_TARGET = 500;
export const MAX_TEMPLATES_PER_HOST = 1_000;
/** Site labels that an ingest key may introduce a month. */
export const MAX_SITES = 1_000;
/** Certificate issuers that an ingest key may introduce a month. */
export const MAX_ISSUERS = 1_000;
/** Journeys that an ingest key may introduce a month. */
export const MAX_JOURNEYS = 1_000;
/** Steps of a journey. */
export const MAX_JOURNEY_STEPS = 200;
/** Combinations of a rollup's cell dimensions that an ingest key may introduce a month. */
export const MAX_CELLS = 50_000;
/** Browsers that an ingest key may introduce a day. On the first of a month all of them have new ids. */
export const MAX_NEW_CLIENTS = 50_000;
export const OVERFLOW_NAME = '(other)';

/** Clocks that differ by less than this agree, ms. */
export const CLOCK_TOLERANCE_MS = 1000;
/** Longest time from when a batch is sent until the collector has it, ms: an extension gives up earlier, and so does the collector. */
export const MAX_TRANSIT_MS = 30_000;

/** Probe runs per status, as many as the settings may schedule. The rest is left out. */
export const MAX_STATUS_TURNS = 50;
/** Reasons per scenario of a run, which makes about fifteen requests. The rest is counted as `(other)`. */
export const MAX_TURN_REASONS = 8;
