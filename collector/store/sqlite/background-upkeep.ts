import type { StoreUpkeep } from '../store.ts';

/** New samples wait this long for their rollup, ms … */
const ROLL_UP_EVERY_MS = 10_000;
/** … or until there are so many; until then queries read them one by one. */
const ROLL_UP_AT_SAMPLES = 300_000;

export interface BackgroundUpkeep {
  appended(samples: number): void;
  /** Ends after the step under way. */
  stop(): Promise<void>;
}

/** Rolls up while a server runs. A step that fails is repeated with the next one; `failed` is told why. */
export function startBackgroundUpkeep(upkeep: StoreUpkeep, failed: (error: unknown) => void): BackgroundUpkeep {
  let waiting = 0;
  let running: Promise<void> | null = null;
  const run = () => {
    if (running !== null || waiting === 0) return;
    waiting = 0;
    running = upkeep
      .rollUp()
      .catch(failed)
      .finally(() => {
        running = null;
        if (waiting >= ROLL_UP_AT_SAMPLES) run();
      });
  };
  const timer = setInterval(run, ROLL_UP_EVERY_MS);
  timer.unref();
  return {
    appended(samples) {
      waiting += samples;
      if (waiting >= ROLL_UP_AT_SAMPLES) run();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
