import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { formatMoment } from '../text/moment.ts';
import { t } from '../text/t.ts';

/** Caption of an exported chart: `erp.example.com · document · 2026-03-01 09:00 to … · data 1a2b3c`. */
export function ofWhat(parts: readonly (string | null | undefined)[], { from, to, dataHash }: SummaryMethod): string {
  const range = t.components.rangeOf(formatMoment(Date.parse(from)), formatMoment(Date.parse(to)));
  return [...parts, range, t.components.dataOf(dataHash.slice(0, 12))].filter((part) => part).join(' · ');
}
