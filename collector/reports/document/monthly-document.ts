import type { NotCompared } from '../../../shared/statistics/comparability.ts';
import type { SummaryCell, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import type { TrendPoint } from '../../charts/chart-spec.ts';
import type { ChangesDocument } from '../../questions/changes.ts';
import type { FindingsDocument } from '../../questions/findings.ts';
import type { PeriodChange } from '../../questions/monthly.ts';
import type { Annotation } from '../../storage/store.ts';
import type { MonthlyQuery } from './report-request.ts';

/** All numbers of the monthly report, before any text. */
export interface MonthlyData extends MonthlyDocument {
  /** `query` holds the periods that were answered. */
  readonly query: MonthlyQuery;
  /** What would save most first; null if the samples that they are found in are no longer kept. */
  readonly findings: FindingsDocument['findings'] | null;
  /** All requests together, with their slow group; null where it is not known. */
  readonly slowGroup: SummaryCell | null;
  /** null if the hours that days of the zone are made of are no longer kept. */
  readonly changes: ChangesDocument['changes'] | null;
  /** What happened in the period, in order of time. */
  readonly annotations: readonly Annotation[];
}

export interface MonthlyDocument {
  /** Grouped by host and type, like `cells`. */
  readonly method: SummaryMethod;
  /** `both`: rollups, and samples where business hours begin or end within an hour of UTC. */
  readonly answeredFrom: 'rollups' | 'samples' | 'both';
  /** Whether the quartiles of Tukey's fences are exact; null without fences. */
  readonly exactQuartiles: boolean | null;
  /** False if the preceding period is no longer kept at the resolution needed. */
  readonly beforeKept: boolean;
  /** null if it is not kept. */
  readonly beforeHash: string | null;
  /** All requests together; null if there are none, or too few browsers to be shown. */
  readonly whole: SummaryCell | null;
  readonly wholeBefore: SummaryCell | null;
  readonly cells: readonly SummaryCell[];
  readonly scenarios: readonly SummaryCell[];
  readonly hosts: readonly SummaryCell[];
  readonly hostsBefore: readonly SummaryCell[];
  /** Each at midnight UTC of its date. */
  readonly days: readonly TrendPoint[];
  readonly change: PeriodChange | null;
  /** Why there is no change; null if there is one. */
  readonly notCompared: NotCompared | null;
  /** Requests that the outlier rule left out; null without one. */
  readonly outliers: number | null;
}
