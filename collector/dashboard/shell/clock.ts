import type { Readings } from '../readings/readings.ts';

/** A moving range is read again this often while the page is visible, ms. */
const REFRESH_INTERVAL = 60_000;
/** After a failed attempt sooner, ms. */
const RETRY_INTERVAL = 10_000;
/** How often "updated … ago" is written anew, ms. */
const AGE_INTERVAL = 10_000;

/** Reads again what moves with time, and what failed. */
export interface Clock {
  plan(): void;
  rest(): void;
}

/** `moving` tells whether the range on the page moves with the clock. */
export function startClock(readings: Readings, moving: () => boolean, showAge: () => void): Clock {
  let timer: ReturnType<typeof setTimeout> | undefined;
  setInterval(showAge, AGE_INTERVAL);

  function plan(): void {
    clearTimeout(timer);
    const { failed, loading } = readings.overall();
    if (loading || (!failed && !moving())) return;
    timer = setTimeout(
      () => (document.hidden ? plan() : readings.refresh(failed ? 'failed' : 'rested')),
      failed ? RETRY_INTERVAL : REFRESH_INTERVAL,
    );
  }

  return { plan, rest: () => clearTimeout(timer) };
}
