import { Cron } from 'croner';
import type { ScheduledReport } from '../../../shared/settings/report-settings.ts';
import type { Channel, Handled, ReportMemory, ReportRun } from './report-memory.ts';

/** A handled time further ahead of now than this (ms) is a fast clock's: nothing would be due until then. */
const MAX_BACK_MS = 24 * 3_600_000;
/** Delay after the first failure, doubled with each further one, ms. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;
/** By then a mail server is back, or an admin has looked. */
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;

/** When a report is due: five cron fields, by the clock of a zone. */
export interface Timetable {
  readonly cron: string;
  readonly zone?: string | undefined;
}

/** The first due time after `at`, epoch ms; null if there is none. */
export function nextDue({ cron, zone = 'UTC' }: Timetable, at: number): number | null {
  return new Cron(cron, { paused: true, timezone: zone }).nextRun(new Date(at))?.getTime() ?? null;
}

/** The last due time up to `at`, epoch ms, however many were missed; null if there was none. */
export function lastDue({ cron, zone = 'UTC' }: Timetable, at: number): number | null {
  // Includes a time due exactly now.
  const [last] = new Cron(cron, { paused: true, timezone: zone }).previousRuns(1, new Date(at + 1));
  return last?.getTime() ?? null;
}

/**
 * Adds a run for each report that became due since the last check, at most one per report: after a night without a
 * server, only the last due time counts. A report that is new in the settings waits for its first.
 */
export function findDue(memory: ReportMemory, reports: readonly ScheduledReport[], now: number): ReportMemory {
  const handled: Record<string, Handled> = {};
  const fresh: ReportRun[] = [];
  for (const report of reports) {
    const timetable = `${report.cron} ${report.zone ?? 'UTC'}`;
    // Own properties only: an id may be `constructor`.
    const before = Object.hasOwn(memory.handled, report.id) ? memory.handled[report.id] : undefined;
    const isAhead = before !== undefined && before.until > now + MAX_BACK_MS;
    if (before === undefined || before.timetable !== timetable || isAhead) {
      handled[report.id] = { timetable, until: now };
      continue;
    }
    const due = lastDue(report, now);
    // Setting the clock back does not repeat a report.
    handled[report.id] = { timetable, until: Math.max(before.until, now) };
    if (due !== null && due > before.until) fresh.push(toRun(report.id, due, now));
  }
  return { handled, runs: [...memory.runs, ...fresh] };
}

export function toRun(report: string, due: number, now: number): ReportRun {
  return { report, due, state: 'waiting', attempts: 0, nextAt: now, endedAt: null, done: [], errors: {}, files: [] };
}

/** The result of one attempt. */
export interface Attempted {
  readonly done: readonly Channel[];
  readonly errors: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

/** A time further ahead than the longest wait was recorded by a clock that ran ahead. */
export function isDue({ nextAt }: ReportRun, now: number): boolean {
  return nextAt !== null && (nextAt <= now || nextAt > now + LONGEST_WAIT_MS);
}

/** The run after an attempt: done, waiting for a retry, or given up. */
export function afterAttempt(run: ReportRun, { done, errors, files }: Attempted, now: number): ReportRun {
  const attempts = run.attempts + 1;
  const next: ReportRun = { ...run, attempts, errors, files, done: [...new Set([...run.done, ...done])] };
  if (Object.keys(errors).length === 0) return { ...next, state: 'done', nextAt: null, endedAt: now };
  if (now - run.due >= GIVE_UP_AFTER_MS && attempts > 1)
    return { ...next, state: 'failed', nextAt: null, endedAt: now };
  return { ...next, nextAt: now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** run.attempts) };
}
