import type { SummaryCell, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import type { TrendPoint } from '../../charts/chart-spec.ts';
import type { PeriodChange } from '../../questions/monthly.ts';
import type { MonthlyQuery } from './report-request.ts';

/** All numbers of the monthly report, before any text. */
export interface MonthlyData extends MonthlyDocument {
  /** `query` holds the periods that were answered. */
  readonly query: MonthlyQuery;
}

export interface MonthlyDocument {
  /** By host and type, like `cells`. */
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
  /** Requests that the outlier rule left out; null without one. */
  readonly outliers: number | null;
}

/** What to improve: connections, the slow group, or one of the parts of a request. */
type FixKind = 'connections' | 'tail' | 'server' | 'download' | 'client';

/** Something worth improving, and the most that it can save. */
export interface Fix {
  readonly host: string;
  readonly type: string;
  readonly kind: FixKind;
  /** What the slowest requests waited for; null if no phase explains it, and for the other kinds. */
  readonly tailPhase: 'blocked' | 'wait' | 'receive' | null;
  /** From which time on requests are slow, ms; null for the other kinds. */
  readonly tailFrom: number | null;
  readonly savedMs: number;
  /** Fraction of all waiting in the report, 0 to 1. */
  readonly share: number;
  readonly n: number;
}
