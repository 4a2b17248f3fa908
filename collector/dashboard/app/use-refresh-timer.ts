import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { QueryCache } from '../query-cache/query-cache.ts';

/** How often a moving range is refreshed while the page is visible, ms. */
const REFRESH_INTERVAL = 60_000;
/** The same after a failed attempt, ms. */
const RETRY_INTERVAL = 10_000;

/**
 * Repeats the queries of moving ranges and those that failed, counted from the last change of any query.
 *
 * @param moving whether the range on the page moves with the clock
 */
export function useRefreshTimer(cache: QueryCache, moving: boolean): void {
  useEffect(
    () =>
      effect(() => {
        const { failed, loading } = cache.status.value;
        if (loading || (!failed && !moving)) return;
        const timer = setInterval(
          () => {
            if (!document.hidden) cache.refresh(failed ? 'failed' : 'rested');
          },
          failed ? RETRY_INTERVAL : REFRESH_INTERVAL,
        );
        return () => clearInterval(timer);
      }),
    [cache, moving],
  );
}
