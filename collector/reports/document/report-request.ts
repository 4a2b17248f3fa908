import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import { MIN_SAMPLES } from '../../../shared/statistics/keep-measuring.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { JourneyResult } from '../../analysis/probes/journey-results.ts';
import type { SummaryCell, SummaryDocument } from '../../analysis/summary/summary-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import type { BusinessHours } from '../../analysis/time/business-hours.ts';
import type { JsonBytes } from '../../lib/json-bytes.ts';
import type { ChangesDocument } from '../../questions/changes.ts';
import type { CompareDocument, CompareQuery } from '../../questions/compare.ts';
import type { FindingsDocument } from '../../questions/findings.ts';
import type { MonthlyDocument } from '../../questions/monthly.ts';
import type { SummaryQuery } from '../../questions/summary.ts';
import type { ReportDocument, ViewQuery } from '../../questions/view.ts';
import type { OutlierRule } from '../../storage/passes/mark-outliers.ts';
import type { Annotation } from '../../storage/store.ts';
import type { Format } from './report-document.ts';

/** Parameters of every report. */
interface Common {
  readonly language: Language;
  /** Time zone of printed times, and of the start of months. */
  readonly zone: string;
  /** Time of writing to print, epoch ms; null prints none. */
  readonly stamp: number | null;
  readonly format: Format;
}

export interface MonthlyQuery {
  readonly range: TimeRange;
  /** True if no range was given: if last month has no data, this month then takes its place. */
  readonly usual: boolean;
  readonly before: TimeRange;
  readonly filters: SummaryQuery['filters'];
  readonly exact: boolean;
  readonly accounting: Accounting;
}

/** A validated request for one report. */
export type ReportRequest = Common &
  (
    | { readonly view: 'summary'; readonly query: SummaryQuery }
    | { readonly view: 'compare'; readonly query: CompareQuery }
    | { readonly view: 'monthly'; readonly query: MonthlyQuery }
    | { readonly view: ViewQuery['view']; readonly query: ViewQuery }
    | { readonly view: 'probes'; readonly query: Omit<ViewQuery, 'view'> }
  );

interface Gathered<V extends ReportRequest['view'], D> {
  readonly view: V;
  /** With the period that was answered. */
  readonly request: ReportRequest & { readonly view: V };
  readonly document: JsonBytes<D>;
  /** Names of apps by target id. */
  readonly apps: NamesOfApps;
}

/** Everything that a report is written from, in any thread: the request as answered, and the answer. */
export type ReportSource =
  | Gathered<'summary', SummaryDocument>
  | Gathered<'compare', CompareDocument>
  | (Gathered<'monthly', MonthlyDocument> & {
      readonly findings: JsonBytes<FindingsDocument> | null;
      /** All requests together, with their slow group; null where it is not known. */
      readonly slowGroup: JsonBytes<SummaryDocument> | null;
      readonly changes: JsonBytes<ChangesDocument> | null;
      /** In the settings; null if it is not. */
      readonly organisation: string | null;
      /** Of its period, in order of time. */
      readonly annotations: readonly Annotation[];
    } & Pick<MonthlyData, 'journeys' | 'keptFrom'>)
  | Gathered<'scenarios' | 'phases' | 'pages' | 'ratios' | 'probes', ReportDocument>;

/** All numbers of the monthly report, before any text. */
export interface MonthlyData extends MonthlyDocument {
  /** `query` holds the periods that were answered. */
  readonly query: MonthlyQuery;
  /** What would save most first; null if the samples that they are found in are no longer kept. */
  readonly findings: FindingsDocument['findings'] | null;
  /** All requests together, with their slow group; null where it is not known. */
  readonly slowGroup: SummaryCell | null;
  /** null if the hours that days of the zone are made of are no longer kept. */
  readonly changes: Pick<ChangesDocument, 'changes' | 'series'> | null;
  /** What happened in the period, in order of time. */
  readonly annotations: readonly Annotation[];
  /** How each journey fared at each site. Business hours do not apply to it. */
  readonly journeys: readonly JourneyResult[];
  /** Runs and samples before this time (epoch ms) are no longer kept; 0 if all are. */
  readonly keptFrom: number;
}

/** How the monthly report counts; the report states all of it. */
export interface Accounting {
  /** Which of the two comes first. */
  readonly first: 'median' | 'average';
  /** What a connection costs: when one is made, or spread over all requests. */
  readonly per: 'connection' | 'request';
  /** null counts all hours. */
  readonly hours: BusinessHours | null;
  readonly outliers: OutlierRule;
  /** For groups with fewer requests, only their number is shown. */
  readonly minN: number;
}

export const DEFAULT_ACCOUNTING: Accounting = {
  first: 'median',
  per: 'request',
  hours: null,
  outliers: { rule: 'none' },
  minN: MIN_SAMPLES,
};

/** `none`, `tukey` or `cap:2000`; null for anything else. */
export function parseOutliers(text: string): OutlierRule | null {
  if (text === 'none' || text === 'tukey') return { rule: text };
  const [, ms] = /^cap:(\d{1,7})$/.exec(text) ?? [];
  return ms === undefined || Number(ms) === 0 ? null : { rule: 'cap', ms: Number(ms) };
}

export function outlierText(outliers: OutlierRule): string {
  return outliers.rule === 'cap' ? `cap:${outliers.ms}` : outliers.rule;
}
