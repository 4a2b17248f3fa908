import { DAY_MS } from './rollups/time-buckets.ts';

/**
 * A browser first heard of less than this long ago is a newcomer, ms. Anybody with an ingest key can invent one, so newcomers
 * confirm nothing, have small budgets, and do not count towards groups.
 */
export const NEWCOMER_MS = DAY_MS;
