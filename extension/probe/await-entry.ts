import type { TimingEntry } from '../../shared/timing/timing-entry.ts';
import { entryValues } from '../content/entry-values.ts';
import { nameValues } from '../packed-group.ts';

/** An entry arrives shortly after its response; after this time it never will, ms. */
const ENTRY_WAIT_MS = 1_000;

export interface AwaitedEntry {
  /** The entry, or null if none arrives within `ENTRY_WAIT_MS` of this call. */
  afterwards(): Promise<TimingEntry | null>;
  /** The entry, or null after `ms`. */
  within(ms: number): Promise<TimingEntry | null>;
}

/** Starts listening, before the request is made, for the next resource entry of this URL in this document. */
export function awaitEntry(url: string): AwaitedEntry {
  const { href } = new URL(url);
  let found: PerformanceEntry | null = null;
  let notify: (entry: PerformanceEntry | null) => void = () => {};
  const observer = new PerformanceObserver((list) => {
    found ??= list.getEntries().find(({ name }) => name === href) ?? null;
    if (found) notify(found);
  });
  observer.observe({ type: 'resource' });

  async function within(ms: number): Promise<TimingEntry | null> {
    const entry =
      found ??
      (await new Promise<PerformanceEntry | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), ms);
        notify = (each) => {
          clearTimeout(timer);
          resolve(each);
        };
      }));
    observer.disconnect();
    return entry && nameValues(entryValues(entry));
  }

  return { within, afterwards: () => within(ENTRY_WAIT_MS) };
}
