import type { Retention } from '../../../shared/settings/read-retention.ts';
import type { ClockWatch } from '../clock-watch.ts';
import type { MaintenanceJob } from '../store.ts';
import type { LogCheckpoint } from './checkpoint-log.ts';
import { FULL_BLOCK } from './outbox.ts';
import type { SqliteMaintenance } from './sqlite-maintenance.ts';

/** What happens to new samples. */
interface Steps {
  readonly job: 'rollup' | 'forward';
  /** They wait this long, ms; if none arrived, the log is emptied … */
  readonly everyMs: number;
  /** … or until there are this many. */
  readonly atSamples: number;
}
/** Until then queries read them one by one; with fewer, encoding would dominate a step. */
export const ROLLING_UP: Steps = { job: 'rollup', everyMs: 10_000, atSamples: 600_000 };
/** Until then no query sees them. */
export const FORWARDING: Steps = { job: 'forward', everyMs: 3_000, atSamples: FULL_BLOCK };
/** About 20 MB of log. */
const CHECKPOINT_AT_SAMPLES = 200_000;
/** How often past days are finalized and expired data removed, ms. */
const FINALIZE_EVERY_MS = 3_600_000;
/** Different failures that are reported once each during an outage; beyond these, each is. */
const MAX_REASONS = 100;

export interface BackgroundMaintenance {
  appended(samples: number): void;
  /** Resolves after the current step. */
  stop(): Promise<void>;
}

export interface MaintenanceClock {
  /** Epoch ms. */
  readonly clock: () => number;
  /** Determines when work is due: the wall clock may stop or go back. */
  readonly monotonic: () => number;
  readonly watch: Pick<ClockWatch, 'keep'>;
}

/**
 * Runs maintenance in a server. Failed work is reported to `failed` and retried in the next round. No job depends on the
 * success of another: expired data are removed in time even if nothing can be rolled up.
 *
 * @param retention reads the rules in force before anything is removed
 */
export function startBackgroundMaintenance(
  maintenance: SqliteMaintenance,
  log: Pick<LogCheckpoint, 'run' | 'empty'>,
  retention: () => Promise<Retention>,
  { clock, monotonic, watch }: MaintenanceClock,
  failed: (error: unknown, job: MaintenanceJob) => void,
  { job: step, everyMs, atSamples }: Steps = ROLLING_UP,
): BackgroundMaintenance {
  // Samples left pending by an earlier run are rolled up too.
  let waiting = 1;
  let stopped = false;
  /** Why nothing can be forwarded, as far as it was reported. */
  const outages = new Set<string>();
  let running: Promise<void> | null = null;
  let released = false;
  let finalizeAt = monotonic();
  let sinceCheckpoint = 0;
  let logHoldsSome = true;
  let checkpointing: Promise<unknown> | null = null;

  const attempt = (job: MaintenanceJob, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => failed(error, job));

  async function rollUp(): Promise<void> {
    // Stops before the last samples: under load, many small steps would each encode the whole hour again. What is due every
    // hour must not wait for ever for a flood to end.
    while ((await maintenance.rollUpStep()) && !stopped && monotonic() < finalizeAt + FINALIZE_EVERY_MS);
  }

  /** An outage of ClickHouse may last a day and is reported once; a rollup that fails is a defect each time. */
  async function takeStep(): Promise<void> {
    try {
      await rollUp();
      outages.clear();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!outages.has(reason)) failed(error, step);
      if (step !== 'forward') return;
      if (outages.size < MAX_REASONS) outages.add(reason);
      // Tried again at the next tick, even if no sample arrives until then.
      waiting ||= 1;
    }
  }

  async function work(): Promise<void> {
    if (!released) {
      released = true;
      await attempt('quarantine', () => maintenance.releaseQuarantine());
    }
    await takeStep();
    if (stopped || monotonic() < finalizeAt) return;
    finalizeAt = monotonic() + FINALIZE_EVERY_MS;
    await attempt('finalize', () => maintenance.finalizeEach(clock(), (error) => failed(error, 'finalize')));
    if (stopped) return;
    await attempt('prune', async () => maintenance.prune(clock(), await retention(), () => stopped));
  }

  function run(): void {
    if (stopped || running !== null || (waiting === 0 && monotonic() < finalizeAt)) return;
    waiting = 0;
    // Finalizing and pruning write even if no samples arrived.
    logHoldsSome = true;
    running = work().finally(() => {
      running = null;
      if (waiting >= atSamples) run();
    });
  }

  /** Nothing else may be working on the log. */
  function withLog(work: () => Promise<void>): void {
    if (stopped) return;
    checkpointing = attempt('log', work).finally(() => {
      checkpointing = null;
    });
  }

  async function emptyLog(): Promise<void> {
    logHoldsSome = false;
    let emptied = false;
    try {
      emptied = await log.empty();
    } finally {
      // Samples may have arrived meanwhile.
      logHoldsSome ||= !emptied;
    }
  }

  function keepClock(): void {
    try {
      watch.keep();
    } catch (error) {
      failed(error, 'clock');
    }
  }

  /**
   * Unannounced samples may be pending: behind a block that was formed before an outage, or stored by a command. With a full
   * disk, no further sample announces them.
   */
  function lookForMore(): void {
    try {
      if (waiting === 0 && maintenance.waits()) waiting = 1;
    } catch (error) {
      failed(error, step);
    }
  }

  function tick(): void {
    keepClock();
    lookForMore();
    const quiet = waiting === 0 && running === null;
    // Few samples at a time make a large log too, since each commit writes whole pages.
    if (logHoldsSome && checkpointing === null) withLog(quiet ? emptyLog : log.run);
    run();
  }

  const timer = setInterval(tick, everyMs);
  timer.unref();
  return {
    appended(samples) {
      waiting += samples;
      sinceCheckpoint += samples;
      logHoldsSome = true;
      if (sinceCheckpoint >= CHECKPOINT_AT_SAMPLES && checkpointing === null) {
        sinceCheckpoint = 0;
        withLog(log.run);
      }
      if (waiting >= atSamples) run();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      keepClock();
      await Promise.all([running, checkpointing]);
    },
  };
}
