import { Cron } from 'croner';
import { type DocumentProblem, repeatedIds } from '../vocabulary/document-problem.ts';
import type { ReportSettings, ScheduledReport } from './report-settings.ts';
import { zoneNamed } from './time-zones.ts';
import { webhookProblems } from './webhook-problems.ts';

/**
 * A search for the next run that finds none takes about 10 ms, so after this many the others are not searched until
 * these are corrected.
 */
const MAX_VAIN_SEARCHES = 3;

/** Problems of scheduled reports that their schema does not catch. Only the collector imports this file. */
export function reportProblems(reports: ReportSettings | undefined): DocumentProblem[] {
  if (!reports) return [];
  let vain = 0;
  const problems = reports.schedule.flatMap((report, index) => {
    const path = `/reports/schedule/${index}`;
    const untimely = timeProblems(report, path, vain < MAX_VAIN_SEARCHES);
    if (untimely.length > 0) vain++;
    return [...untimely, ...deliveryProblems(report, path, reports)];
  });
  return [...repeatedIds('/reports/schedule', reports.schedule, 'Each report needs its own.'), ...problems];
}

function timeProblems({ cron, zone }: ScheduledReport, path: string, isSearched: boolean): DocumentProblem[] {
  if (zone !== undefined && zoneNamed(zone) === null) {
    const hint = 'Examples: Europe/Berlin, UTC.';
    return [{ path: `${path}/zone`, message: `${zone} is not a time zone`, hint, code: 'no_zone', values: { zone } }];
  }
  const hint = 'Five parts, minute hour day month weekday: 0 6 1 * * is 06:00 on the first of each month.';
  const problem = (fault: string, code: string): DocumentProblem => ({
    path: `${path}/cron`,
    message: `${cron} ${fault}`,
    hint,
    code,
    values: { cron },
  });
  // A schedule with seconds would be a flood, and names such as @monthly do not state the hour.
  if (cron.trim().split(/\s+/).length !== 5) return [problem('does not have five parts', 'cron_parts')];
  try {
    const timetable = new Cron(cron, { paused: true, timezone: zone ?? 'UTC' });
    return isSearched && timetable.nextRun() === null ? [problem('never occurs', 'cron_never')] : [];
  } catch {
    return [problem('cannot be read', 'cron_unreadable')];
  }
}

function deliveryProblems(
  { folder, webhook, mailTo }: ScheduledReport,
  path: string,
  { mail }: ReportSettings,
): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (folder === undefined && webhook === undefined && mailTo === undefined) {
    const hint = 'Give folder, webhook or mailTo, or several of them.';
    problems.push({ path, message: 'has no destination', hint, code: 'no_destination' });
  }
  if (mailTo !== undefined && mail === undefined) {
    const hint = 'Add reports.mail with the host of an SMTP server and the sender’s address.';
    problems.push({
      path: `${path}/mailTo`,
      message: 'there is no mail server in the settings',
      hint,
      code: 'no_mail_server',
    });
  }
  return webhook === undefined ? problems : [...problems, ...webhookProblems(webhook, `${path}/webhook`)];
}
