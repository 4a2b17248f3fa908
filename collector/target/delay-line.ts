import { performance } from 'node:perf_hooks';

/** Runs actions in the order they were added, each no earlier than `delayMs` after it was added. */
export interface DelayLine {
  add(action: () => void): void;
  /** Drops what is still held. */
  clear(): void;
}

export function createDelayLine(delayMs: number): DelayLine {
  let held: { readonly due: number; readonly action: () => void }[] = [];
  let timer: NodeJS.Timeout | null = null;

  function arm(): void {
    const next = held[0];
    timer = next ? setTimeout(release, Math.max(0, next.due - performance.now())) : null;
  }

  function release(): void {
    // A timer may fire up to 1 ms early: what is not due yet waits for the next one.
    while (held[0] && held[0].due <= performance.now()) held.shift()?.action();
    arm();
  }

  return {
    add(action) {
      held.push({ due: performance.now() + delayMs, action });
      if (timer === null) arm();
    },
    clear() {
      if (timer) clearTimeout(timer);
      timer = null;
      held = [];
    },
  };
}
