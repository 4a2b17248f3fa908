import type { TimingEntry } from '../../shared/timing/timing-entry.ts';
import { entryValues } from '../content/entry-values.ts';
import { nameValues } from '../packed-group.ts';

/** As the content script copies the entries of pages. */
export function copyEntry(source: PerformanceEntry): TimingEntry {
  return nameValues(entryValues(source));
}
