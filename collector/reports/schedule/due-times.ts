import { Cron } from 'croner';

/** When a report is due: five parts of cron on the clock of a zone. */
export interface Timetable {
  readonly cron: string;
  readonly zone?: string | undefined;
}

/** The first moment after `at`, epoch ms; null where it never comes. */
export function nextDue({ cron, zone = 'UTC' }: Timetable, at: number): number | null {
  return new Cron(cron, { paused: true, timezone: zone }).nextRun(new Date(at))?.getTime() ?? null;
}

/** The last moment up to `at`, epoch ms, however many were missed; null where there was none. */
export function lastDue({ cron, zone = 'UTC' }: Timetable, at: number): number | null {
  // What is due at this very moment is the last one too.
  const [last] = new Cron(cron, { paused: true, timezone: zone }).previousRuns(1, new Date(at + 1));
  return last?.getTime() ?? null;
}
