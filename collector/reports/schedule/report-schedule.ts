import type { ReportSettings } from '../../../shared/settings/report-settings.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import { type AttemptDeps, attemptRun } from './attempt-run.ts';
import { afterAttempt, findDue, isDue, nextDue, runOf } from './find-due.ts';
import { type ReportMemory, type ReportRun, readReportMemory, writeReportMemory } from './report-memory.ts';

/** Interval between checks for reports that are due, ms. */
const TICK_MS = 15_000;

export interface ScheduleDeps extends Omit<AttemptDeps, 'signal'> {
  /** Called with errors of reading and saving, which are retried. */
  readonly failed: (error: unknown) => void;
}

export interface ReportSchedule {
  /** Adds runs for what has become due, then makes and sends the reports. One tick at a time. */
  tick(): Promise<void>;
  /** Makes a report as if it were due now; false for an unknown id. */
  runNow(report: string): Promise<boolean>;
  status(): Promise<ScheduleStatus>;
  start(): void;
  stop(): Promise<void>;
}

export interface ScheduleStatus {
  readonly reports: readonly { readonly report: string; readonly next: number | null }[];
  /** Newest first. */
  readonly runs: readonly ReportRun[];
}

/** Makes the scheduled reports when they are due. Its state is in the store, so a restart loses nothing. */
export function createReportSchedule({ failed, ...deps }: ScheduleDeps): ReportSchedule {
  const { store, clock } = deps;
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  const settings = async (): Promise<ReportSettings> =>
    (await currentSettings(store.settings)).settings.reports ?? { schedule: [] };

  async function work(): Promise<void> {
    // A clock that is ahead would cause a report on a period in the future, and then none until that period has passed.
    if ((await store.clock.status()).doubt !== null) return;
    const { schedule } = await settings();
    const before = await readReportMemory(store.keyValues);
    if (schedule.length === 0 && before.runs.length === 0) return;
    const found = findDue(before, schedule, clock());
    await writeReportMemory(store.keyValues, found);
    const due = found.runs.filter((run) => isDue(run, clock()));
    for (const run of due) {
      if (stopped.signal.aborted) return;
      await attempt(run);
    }
  }

  async function attempt(run: ReportRun): Promise<void> {
    const current = await settings();
    const report = current.schedule.find(({ id }) => id === run.report);
    const now = clock();
    if (report === undefined) {
      const errors = { report: 'it is no longer in the settings' };
      await replace(run, { ...run, state: 'failed', nextAt: null, endedAt: now, errors });
      return;
    }
    const attempted = await attemptRun({ ...deps, signal: stopped.signal }, report, current, run);
    if (!stopped.signal.aborted) await replace(run, afterAttempt(run, attempted, clock()));
  }

  async function replace(run: ReportRun, next: ReportRun): Promise<void> {
    const memory = await readReportMemory(store.keyValues);
    const runs = memory.runs.map((one) => (one.report === run.report && one.due === run.due ? next : one));
    await writeReportMemory(store.keyValues, { ...memory, runs });
  }

  function tick(): Promise<void> {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    tick,
    async runNow(report) {
      const { schedule } = await settings();
      if (!schedule.some(({ id }) => id === report)) return false;
      // The tick's own write comes first; its caller handles its failure.
      await running?.catch(() => undefined);
      const memory: ReportMemory = await readReportMemory(store.keyValues);
      const now = clock();
      await writeReportMemory(store.keyValues, { ...memory, runs: [...memory.runs, runOf(report, now, now)] });
      void tick().catch(failed);
      return true;
    },
    async status() {
      const [{ schedule }, { runs }] = await Promise.all([settings(), readReportMemory(store.keyValues)]);
      return {
        reports: schedule.map((report) => ({ report: report.id, next: nextDue(report, clock()) })),
        runs: [...runs].reverse(),
      };
    },
    start() {
      timer = setInterval(() => void tick().catch(failed), TICK_MS);
      timer.unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      stopped.abort();
      // The tick's caller handles its failure.
      await running?.catch(() => undefined);
    },
  };
}
