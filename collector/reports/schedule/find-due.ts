import type { ScheduledReport } from '../../../shared/settings/report-settings.ts';
import { lastDue } from './due-times.ts';
import type { Handled, ReportMemory, ReportRun } from './report-memory.ts';

/** Looked at further ahead of now than this was looked at by a clock that ran ahead; nothing would be due until then, ms. */
const MAX_BACK_MS = 24 * 3_600_000;

/**
 * What has become due since the last look, each report at most once: after a night without a server it is made for the
 * last time it was due, and not for each. A report that is new in the settings waits for its first time.
 */
export function findDue(memory: ReportMemory, reports: readonly ScheduledReport[], now: number): ReportMemory {
  const handled: Record<string, Handled> = {};
  const fresh: ReportRun[] = [];
  for (const report of reports) {
    const timetable = `${report.cron} ${report.zone ?? 'UTC'}`;
    // Own ones only: an id may be `constructor`.
    const before = Object.hasOwn(memory.handled, report.id) ? memory.handled[report.id] : undefined;
    const isAhead = before !== undefined && before.until > now + MAX_BACK_MS;
    if (before === undefined || before.timetable !== timetable || isAhead) {
      handled[report.id] = { timetable, until: now };
      continue;
    }
    const due = lastDue(report, now);
    // A clock that was turned back does not make a report again.
    handled[report.id] = { timetable, until: Math.max(before.until, now) };
    if (due !== null && due > before.until) fresh.push(runOf(report.id, due, now));
  }
  return { handled, runs: [...memory.runs, ...fresh] };
}

export function runOf(report: string, due: number, now: number): ReportRun {
  return { report, due, state: 'waiting', attempts: 0, nextAt: now, endedAt: null, done: [], errors: {}, files: [] };
}
