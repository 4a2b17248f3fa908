import { changeEvents } from './change-events.ts';
import type { GroupChange } from './group-change.ts';

/**
 * Those that are more than chance: at most `level` of the events shown are chance, on average. Benjamini and Hochberg's procedure with
 * events for discoveries, as D. O. Siegmund, N. R. Zhang and B. Yakir, False discovery rate for scanning statistics (2011), count
 * clusters: one release changes an app, its hosts and their types, by median and mean. Counted as so many discoveries, it would let
 * as many more chance ones pass.
 *
 * @param tested series in all, with a change or without
 */
export function certainChanges(changes: readonly GroupChange[], tested: number, level: number): GroupChange[] {
  const sorted = [...changes].filter(({ pValue }) => pValue <= level).sort((a, b) => a.pValue - b.pValue);
  for (let count = sorted.length; count > 0; count--) {
    const certain = sorted.slice(0, count);
    const largest = (certain.at(-1) as GroupChange).pValue;
    if (largest * tested <= level * changeEvents(certain).length) return certain;
  }
  return [];
}
