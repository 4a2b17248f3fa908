import type { SummaryCell, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import type { TrendPoint } from '../../charts/chart-spec.ts';
import type { PeriodChange } from '../../questions/monthly.ts';
import type { MonthlyQuery } from '../report-request.ts';

/** All numbers of the monthly report, before a word is written. */
export interface MonthlyData extends MonthlyDocument {
  /** The periods are those that were answered. */
  readonly query: MonthlyQuery;
}

export interface MonthlyDocument {
  /** By host and type, as the cells are. */
  readonly method: SummaryMethod;
  /** `both`: rollups, and samples where business hours begin or end inside of an hour of UTC. */
  readonly answeredFrom: 'rollups' | 'samples' | 'both';
  /** Whether the quartiles of Tukey's fences are those of every value; null without fences. */
  readonly exactQuartiles: boolean | null;
  /** False where the period before is no longer kept as finely as it would have to be read. */
  readonly beforeKept: boolean;
  /** null where it is not kept. */
  readonly beforeHash: string | null;
  /** All requests as one; null where there are none, or too few browsers to be shown. */
  readonly whole: SummaryCell | null;
  readonly wholeBefore: SummaryCell | null;
  readonly cells: readonly SummaryCell[];
  readonly scenarios: readonly SummaryCell[];
  readonly hosts: readonly SummaryCell[];
  readonly hostsBefore: readonly SummaryCell[];
  /** Each at midnight of its date, UTC. */
  readonly days: readonly TrendPoint[];
  readonly change: PeriodChange | null;
  /** Requests that the outlier rule left out; null without one. */
  readonly outliers: number | null;
}
