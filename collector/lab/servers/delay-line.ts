import { performance } from 'node:perf_hooks';

/** Runs actions in the order they were added, each at least `delayMs` after it was added. */
export interface DelayLine {
  add(action: () => void): void;
  /** Drops the actions that have not run yet. */
  clear(): void;
}

export function createDelayLine(delayMs: number): DelayLine {
  let held: { readonly due: number; readonly action: () => void }[] = [];
  let cancel: (() => void) | null = null;

  function arm(): void {
    const next = held[0];
    const left = (next?.due ?? 0) - performance.now();
    cancel = next ? (left >= 1 ? later(left) : atNextTurn()) : null;
  }

  function later(ms: number): () => void {
    const timer = setTimeout(release, ms);
    return () => clearTimeout(timer);
  }

  /** For the last fraction of a millisecond, which a timer would round up. */
  function atNextTurn(): () => void {
    const turn = setImmediate(release);
    return () => clearImmediate(turn);
  }

  function release(): void {
    // A timer may fire up to 1 ms early: actions not yet due wait for the next one.
    while (held[0] && held[0].due <= performance.now()) held.shift()?.action();
    arm();
  }

  return {
    add(action) {
      held.push({ due: performance.now() + delayMs, action });
      if (cancel === null) arm();
    },
    clear() {
      cancel?.();
      cancel = null;
      held = [];
    },
  };
}
