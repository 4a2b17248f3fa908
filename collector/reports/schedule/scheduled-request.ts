import type { ScheduledReport } from '../../../shared/settings/report-settings.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { wallTime, zonedMoment } from '../../analysis/time/zoned-time.ts';
import type { QueryString } from '../../questions/query-string.ts';
import type { Format } from '../document/report-document.ts';
import type { ReportRequest } from '../document/report-request.ts';
import { parseReport } from '../parse-report.ts';

/** The request of a scheduled report: the last whole month, week or day before it was due. Throws a QueryError. */
export function scheduledRequest(report: ScheduledReport, due: number, format: Format): ReportRequest {
  const { view = 'monthly', zone = 'UTC', lang = 'en', filters = {}, businessHours } = report;
  const period = report.period ?? (view === 'monthly' ? 'month' : 'day');
  const { from, to } = periodBefore(period, due, zone);
  const monthly = {
    first: report.first,
    per: report.per,
    hours: businessHours,
    outliers: report.outliers,
    minN: report.minN === undefined ? undefined : String(report.minN),
  };
  const parameters: QueryString = {
    ...filters,
    view,
    zone,
    lang,
    format,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(view === 'monthly' ? monthly : {}),
  };
  return parseReport(parameters, due);
}

/** Weeks begin on Monday. */
function periodBefore(period: 'month' | 'week' | 'day', at: number, zone: string): TimeRange {
  const { year, month, day, weekday } = wallTime(at, zone);
  if (period === 'month') return { from: zonedMoment(zone, year, month - 1, 1), to: zonedMoment(zone, year, month, 1) };
  if (period === 'day')
    return { from: zonedMoment(zone, year, month, day - 1), to: zonedMoment(zone, year, month, day) };
  const monday = day - ((weekday + 6) % 7);
  return { from: zonedMoment(zone, year, month, monday - 7), to: zonedMoment(zone, year, month, monday) };
}
