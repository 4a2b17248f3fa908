import { whyNotCompared } from '../../../shared/statistics/comparability.ts';
import { intervalsApart } from '../../../shared/statistics/median-interval.ts';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { countsUsers } from '../../questions/compare.ts';
import type { MonthlyQuery } from '../document/report-request.ts';

export interface ComparedPeriods {
  /** null if there are fewer requests than the report shows numbers of. */
  readonly before: TimeStatistics | null;
  readonly now: TimeStatistics | null;
  /** Of the medians, ms; null where requests or browsers are too few. */
  readonly difference: number | null;
  /** Whether the medians' intervals are; null where there is none. */
  readonly apart: boolean | null;
}

/** A group in both periods; null in one where it was not measured. */
export function comparePeriods(
  earlier: SummaryCell | null,
  later: SummaryCell | null,
  { filters, accounting }: Pick<MonthlyQuery, 'filters' | 'accounting'>,
): ComparedPeriods {
  const enough = (cell: SummaryCell | null) =>
    (cell?.phases.ttlb?.n ?? 0) < accounting.minN ? null : (cell?.phases.ttlb ?? null);
  const browsers = (cell: SummaryCell | null) => (countsUsers(filters) ? (cell?.browsers ?? null) : null);
  const [before, now] = [enough(earlier), enough(later)];
  if (
    before === null ||
    now === null ||
    whyNotCompared({ n: before.n, browsers: browsers(earlier) }, { n: now.n, browsers: browsers(later) }) !== null
  )
    return { before, now, difference: null, apart: null };
  const [one, other] = [before.medianInterval, now.medianInterval];
  const apart = one === null || other === null ? null : intervalsApart(one, other);
  return { before, now, difference: now.median - before.median, apart };
}
