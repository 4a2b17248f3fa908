import type { SummaryCell } from '../analysis/summary/summary-document.ts';

/** Milliseconds that users waited for a group's usable requests, all added up. */
export function waitedMs({ phases: { ttlb } }: SummaryCell): number {
  return ttlb === null ? 0 : ttlb.n * ttlb.mean;
}
