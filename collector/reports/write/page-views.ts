import type { SummaryCell } from '../../analysis/summary/summary-document.ts';

/** Usable navigations. 0 if the filters leave none. */
export function pageViewsOf(cells: readonly SummaryCell[]): number {
  return cells.filter(({ type }) => type === 'document').reduce((sum, { phases }) => sum + (phases.ttlb?.n ?? 0), 0);
}
