import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { formatPeriod } from '../text/moment.ts';
import { t } from '../text/t.ts';

/** Caption of an exported chart: `erp.example.com · documents · 1 – 7 Mar 2026 · data 1a2b3c`. */
export function ofWhat(parts: readonly (string | null | undefined)[], { from, to, dataHash }: SummaryMethod): string {
  const range = formatPeriod(Date.parse(from), Date.parse(to));
  return [...parts, range, t.components.dataOf(dataHash.slice(0, 12))].filter((part) => part).join(' · ');
}
