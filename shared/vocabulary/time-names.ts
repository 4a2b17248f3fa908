/**
 * The phases of one request in the order they happen. `blocked` is the sum of the gaps before the lookup, before
 * the connect and before the request. `redirect` lies before `fetchStart` and is outside both totals.
 */
export const PHASES = ['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive'] as const;
export type Phase = (typeof PHASES)[number];

/** Everything a sample can carry a time for. `ttfb` and `ttlb` count from `fetchStart`, without redirects. */
export const TIME_NAMES = [...PHASES, 'redirect', 'ttfb', 'ttlb'] as const;
export type TimeName = (typeof TIME_NAMES)[number];

/** Phases and the two totals, in the order they are shown: what a summary has statistics of. */
export const SUMMARY_TIMES = [...PHASES, 'ttfb', 'ttlb'] as const;
export type SummaryTime = (typeof SUMMARY_TIMES)[number];
