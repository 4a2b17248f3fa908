import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { Language } from '../analysis/text/language.ts';
import type { CompareQuery } from '../questions/compare.ts';
import type { SummaryQuery } from '../questions/summary.ts';
import type { ViewQuery } from '../questions/view.ts';
import type { Accounting } from './accounting.ts';
import type { Format } from './report-document.ts';

/** What every report is asked with. */
interface Common {
  readonly language: Language;
  /** In which times are written and months begin. */
  readonly zone: string;
  /** Epoch ms, printed as the moment it was made; null prints none. */
  readonly stamp: number | null;
  readonly format: Format;
}

export interface MonthlyQuery {
  readonly range: TimeRange;
  /** True where nobody named the range: an empty last month may then give way to what there is. */
  readonly usual: boolean;
  readonly before: TimeRange;
  readonly filters: SummaryQuery['filters'];
  readonly exact: boolean;
  readonly accounting: Accounting;
}

/** One report to make, read and checked. */
export type ReportRequest = Common &
  (
    | { readonly view: 'summary'; readonly query: SummaryQuery }
    | { readonly view: 'compare'; readonly query: CompareQuery }
    | { readonly view: 'monthly'; readonly query: MonthlyQuery }
    | {
        readonly view: 'scenarios' | 'phases' | 'pages' | 'ratios' | 'probes';
        readonly query: ViewQuery;
      }
  );
