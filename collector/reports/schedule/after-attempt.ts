import type { ReportRun, Way } from './report-memory.ts';

/** After the first failure, doubled with each further one, ms. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;
/** A mail server is back by then, or somebody has looked. */
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;

/** What one attempt came to. */
export interface Attempted {
  readonly done: readonly Way[];
  readonly errors: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

/** Further ahead than the longest wait was noted by a clock that ran ahead. */
export function isDue({ nextAt }: ReportRun, now: number): boolean {
  return nextAt !== null && (nextAt <= now || nextAt > now + LONGEST_WAIT_MS);
}

/** The run after an attempt: done, to be tried again later, or given up. */
export function afterAttempt(run: ReportRun, { done, errors, files }: Attempted, now: number): ReportRun {
  const attempts = run.attempts + 1;
  const next: ReportRun = { ...run, attempts, errors, files, done: [...new Set([...run.done, ...done])] };
  if (Object.keys(errors).length === 0) return { ...next, state: 'done', nextAt: null, endedAt: now };
  if (now - run.due >= GIVE_UP_AFTER_MS && attempts > 1)
    return { ...next, state: 'failed', nextAt: null, endedAt: now };
  return { ...next, nextAt: now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** run.attempts) };
}
