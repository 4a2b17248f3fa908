import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import type { Evidence } from '../../reductions/cell-aggregate.ts';

/** Total time that users waited for a group's usable requests, ms. */
export function waitedMs({ phases: { ttlb } }: Pick<SummaryCell, 'phases'>): number {
  return ttlb === null ? 0 : ttlb.n * ttlb.mean;
}

export function longestWaitFirst(cells: readonly SummaryCell[]): SummaryCell[] {
  return [...cells].sort((a, b) => waitedMs(b) - waitedMs(a));
}

/** What all groups together counted and left out; null without a group. */
export function countedIn(cells: readonly SummaryCell[]): { samples: number; evidence: Evidence } | null {
  if (cells.length === 0) return null;
  const excluded: Record<string, number> = {};
  const total = { samples: 0, usable: 0, opaque: 0, cache: 0 };
  for (const { samples, evidence } of cells) {
    total.samples += samples;
    total.usable += evidence.usable;
    total.opaque += evidence.opaque;
    total.cache += evidence.cache;
    for (const [reason, n] of Object.entries(evidence.excluded)) excluded[reason] = (excluded[reason] ?? 0) + (n ?? 0);
  }
  const { samples, ...counts } = total;
  return { samples, evidence: { ...counts, excluded } };
}
