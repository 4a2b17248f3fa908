import type { QueryCache } from '../query-cache/query-cache.ts';

/** How often a moving range is refreshed while the page is visible, ms. */
const REFRESH_INTERVAL = 60_000;
/** The same after a failed attempt, ms. */
const RETRY_INTERVAL = 10_000;
/** How often "Updated … ago" is rewritten, ms. */
const AGE_INTERVAL = 10_000;

/** Schedules the refresh of moving ranges and of failed queries. */
export interface RefreshTimer {
  plan(): void;
  stop(): void;
}

/** @param moving whether the range on the page moves with the clock */
export function startRefreshTimer(cache: QueryCache, moving: () => boolean, showAge: () => void): RefreshTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  setInterval(showAge, AGE_INTERVAL);

  function plan(): void {
    clearTimeout(timer);
    const { failed, loading } = cache.status();
    if (loading || (!failed && !moving())) return;
    timer = setTimeout(
      () => (document.hidden ? plan() : cache.refresh(failed ? 'failed' : 'rested')),
      failed ? RETRY_INTERVAL : REFRESH_INTERVAL,
    );
  }

  return { plan, stop: () => clearTimeout(timer) };
}
