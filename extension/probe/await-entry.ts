import type { TimingEntry } from '../../shared/timing/timing-entry.ts';
import { entryValues } from '../content/entry-values.ts';
import { nameValues } from '../packed-group.ts';

/** An entry comes a moment after its answer; longer than this it never does, ms. */
const ENTRY_WAIT_MS = 1_000;

export interface AwaitedEntry {
  /** The entry, or null where none has come `ENTRY_WAIT_MS` after this was called. */
  afterwards(): Promise<TimingEntry | null>;
  /** The entry, or null once the time is over. */
  within(ms: number): Promise<TimingEntry | null>;
}

/** Listens, from before the request is made, for the next resource entry of that address in this document. */
export function awaitEntry(url: string): AwaitedEntry {
  const { href } = new URL(url);
  let found: PerformanceEntry | null = null;
  let tell: (entry: PerformanceEntry | null) => void = () => {};
  const observer = new PerformanceObserver((list) => {
    found ??= list.getEntries().find(({ name }) => name === href) ?? null;
    if (found) tell(found);
  });
  observer.observe({ type: 'resource' });

  async function within(ms: number): Promise<TimingEntry | null> {
    const entry =
      found ??
      (await new Promise<PerformanceEntry | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), ms);
        tell = (each) => {
          clearTimeout(timer);
          resolve(each);
        };
      }));
    observer.disconnect();
    return entry && nameValues(entryValues(entry));
  }

  return { within, afterwards: () => within(ENTRY_WAIT_MS) };
}
