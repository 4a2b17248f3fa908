import type { ReportSettings } from '../../../shared/settings/report-settings.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { KeyValueState } from '../../storage/store.ts';
import { type AttemptDeps, attemptRun } from './attempt-run.ts';
import { afterAttempt, findDue, isDue, nextDue, toRun } from './find-due.ts';
import { type ReportRun, readReportMemory, updateReportMemory } from './report-memory.ts';

/** Interval between checks for reports that are due, ms. */
const TICK_MS = 15_000;

export interface ScheduleDeps extends Omit<AttemptDeps, 'signal'> {
  /** Called with errors of reading and saving, which are retried. */
  readonly failed: (error: unknown) => void;
}

export interface ReportSchedule {
  /** Adds runs for what has become due, then makes and sends the reports. One tick at a time. */
  tick(): Promise<void>;
  /** Has a report made as if it were due now, by the collector that leads; false for an unknown id. */
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

/** Makes the scheduled reports when they are due. One of several collectors does so; its state is in the store, so a restart loses nothing. */
export function createReportSchedule({ failed, ...deps }: ScheduleDeps): ReportSchedule {
  const { store, clock } = deps;
  const { leadership } = store;
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> | null = null;

  const settings = async (): Promise<ReportSettings> =>
    (await currentSettings(store.settings)).settings.reports ?? { schedule: [] };

  async function work(state: KeyValueState): Promise<void> {
    const { schedule } = await settings();
    if (schedule.length === 0 && (await readReportMemory(state)).runs.length === 0) return;
    await updateReportMemory(state, (before) => findDue(before, schedule, clock()));
    const due = (await readReportMemory(state)).runs.filter((run) => isDue(run, clock()));
    for (const run of due) {
      if (stopped.signal.aborted) return;
      await attempt(state, run);
    }
  }

  async function attempt(state: KeyValueState, run: ReportRun): Promise<void> {
    const current = await settings();
    const report = current.schedule.find(({ id }) => id === run.report);
    const now = clock();
    if (report === undefined) {
      const errors = { report: 'it is no longer in the settings' };
      await replace(state, run, { ...run, state: 'failed', nextAt: null, endedAt: now, errors });
      return;
    }
    const isStillOurs = async () =>
      (await readReportMemory(state)).runs.some(
        (one) => isSame(one, run) && one.state === 'waiting' && one.attempts === run.attempts,
      );
    const attempted = await attemptRun({ ...deps, signal: stopped.signal }, report, current, run, isStillOurs);
    if (stopped.signal.aborted || attempted === null) return;
    await replace(state, run, afterAttempt(run, attempted, clock()));
  }

  async function replace(state: KeyValueState, run: ReportRun, next: ReportRun): Promise<void> {
    await updateReportMemory(state, (memory) => ({
      ...memory,
      runs: memory.runs.map((one) => (isSame(one, run) ? next : one)),
    }));
  }

  function tick(): Promise<void> {
    running ??= leadership.lead(work).finally(() => {
      running = null;
    });
    return running.then(() => undefined);
  }

  return {
    tick,
    async runNow(report) {
      const { schedule } = await settings();
      if (!schedule.some(({ id }) => id === report)) return false;
      // The next tick makes it at once; the caller of the current one handles its failure.
      await running?.catch(() => undefined);
      const now = clock();
      await updateReportMemory(store.keyValues, (memory) => ({
        ...memory,
        runs: [...memory.runs, toRun(report, now, now)],
      }));
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

function isSame(one: ReportRun, other: ReportRun): boolean {
  return one.report === other.report && one.due === other.due;
}
