/**
 * The phases of one request in the order they happen. `blocked` is the sum of the gaps before the lookup, the connect and
 * the request. `redirect` lies before `fetchStart`, outside both totals.
 */
export const PHASES = ['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive'] as const;
export type Phase = (typeof PHASES)[number];

/** Every time a sample can have. `ttfb` and `ttlb` count from `fetchStart`, without redirects. */
export const TIME_NAMES = [...PHASES, 'redirect', 'ttfb', 'ttlb'] as const;
export type TimeName = (typeof TIME_NAMES)[number];

/** Phases and the two totals, in display order: what a summary has statistics for. */
export const SUMMARY_TIMES = [...PHASES, 'ttfb', 'ttlb'] as const;
export type SummaryTime = (typeof SUMMARY_TIMES)[number];
