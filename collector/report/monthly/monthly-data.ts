import type { CompareChange } from '../../../shared/summary/answers.ts';
import type { SummaryCell, SummaryMethod } from '../../../shared/summary/summary-document.ts';
import type { TrendPoint } from '../chart-spec.ts';
import type { MonthlyQuery } from '../report-request.ts';

/** All numbers of the monthly report, before a word is written. */
export interface MonthlyData {
  readonly query: MonthlyQuery;
  /** By host and type, as the cells are. */
  readonly method: SummaryMethod;
  readonly beforeHash: string;
  /** All requests as one; null where there are none, or too few browsers to be shown. */
  readonly whole: SummaryCell | null;
  readonly wholeBefore: SummaryCell | null;
  readonly cells: readonly SummaryCell[];
  readonly scenarios: readonly SummaryCell[];
  readonly hosts: readonly SummaryCell[];
  readonly hostsBefore: readonly SummaryCell[];
  readonly days: readonly TrendPoint[];
  readonly change: PeriodChange | null;
  /** Requests that the outlier rule left out; null without one. */
  readonly outliers: number | null;
}

/** Whether the median differs from the last period's, and what was drawn to tell. */
export interface PeriodChange extends CompareChange {
  /** `sketch`: too many samples to draw browsers, or samples that are gone; requests were drawn from the sketches. */
  readonly from: 'samples' | 'sketch';
}
