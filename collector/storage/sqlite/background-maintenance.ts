import type { Retention } from '../../../shared/settings/retention-of.ts';
import type { ClockWatch } from '../clock-watch.ts';
import type { MaintenanceJob } from '../store.ts';
import type { LogCheckpoint } from './checkpoint-log.ts';
import type { SqliteMaintenance } from './sqlite-maintenance.ts';

/** New samples wait this long for their rollup, ms; where none came, the log is emptied … */
const ROLL_UP_EVERY_MS = 10_000;
/** … or until there are so many; until then queries read them one by one. Less, and most of a step would be packing. */
const ROLL_UP_AT_SAMPLES = 600_000;
/** About 20 MB of log. */
const CHECKPOINT_AT_SAMPLES = 200_000;
/** Days that are over are sealed, and what is too old is removed, this often, ms. */
const SEAL_EVERY_MS = 3_600_000;

export interface BackgroundMaintenance {
  appended(samples: number): void;
  /** Ends after the step under way. */
  stop(): Promise<void>;
}

export interface MaintenanceClock {
  /** Epoch ms. */
  readonly clock: () => number;
  /** Decides when a pass is due: the other may stand still or go back. */
  readonly monotonic: () => number;
  readonly watch: Pick<ClockWatch, 'doubt' | 'keep'>;
}

/**
 * Rolls up while a server runs. What fails is tried again with the next round; `failed` is told why. No work waits for
 * another one to succeed: what is too old is removed on time although nothing can be rolled up.
 *
 * @param retention in force, asked before anything is removed
 */
export function startBackgroundMaintenance(
  upkeep: SqliteMaintenance,
  log: Pick<LogCheckpoint, 'run' | 'empty'>,
  retention: () => Promise<Retention>,
  { clock, monotonic, watch }: MaintenanceClock,
  failed: (error: unknown, job: MaintenanceJob) => void,
): BackgroundMaintenance {
  // What an earlier run left pending is rolled up too.
  let waiting = 1;
  let stopped = false;
  let running: Promise<void> | null = null;
  let released = false;
  let sealAt = monotonic();
  let sinceCheckpoint = 0;
  let logHoldsSome = true;
  let checkpointing: Promise<unknown> | null = null;

  const attempt = (job: MaintenanceJob, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => failed(error, job));

  async function rollUp(): Promise<void> {
    // Not until nothing is left: under load that would be one small step after the other, each packing the whole hour.
    while ((await upkeep.rollUpStep()) && !stopped);
  }

  async function work(): Promise<void> {
    if (!released) {
      released = true;
      await attempt('quarantine', () => upkeep.releaseQuarantine());
    }
    await attempt('rollup', rollUp);
    if (stopped || monotonic() < sealAt) return;
    sealAt = monotonic() + SEAL_EVERY_MS;
    // By a clock that runs ahead, today would be over.
    if (watch.doubt() === null) {
      await attempt('finalize', () => upkeep.finalizeEach(clock(), (error) => failed(error, 'finalize')));
    }
    await attempt('prune', async () => upkeep.prune(clock(), await retention(), () => stopped));
  }

  function run(): void {
    if (stopped || running !== null || (waiting === 0 && monotonic() < sealAt)) return;
    waiting = 0;
    // Where nothing came, what is sealed or too old is written all the same.
    logHoldsSome = true;
    running = work().finally(() => {
      running = null;
      if (waiting >= ROLL_UP_AT_SAMPLES) run();
    });
  }

  /** Nothing else may be at work on it. */
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
      // What came meanwhile is in it too.
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

  function tick(): void {
    keepClock();
    const quiet = waiting === 0 && running === null;
    if (quiet && logHoldsSome && checkpointing === null) withLog(emptyLog);
    run();
  }

  const timer = setInterval(tick, ROLL_UP_EVERY_MS);
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
      if (waiting >= ROLL_UP_AT_SAMPLES) run();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      keepClock();
      await Promise.all([running, checkpointing]);
    },
  };
}
