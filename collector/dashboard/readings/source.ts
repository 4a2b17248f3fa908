import type { Known, Read, Reading } from './reading.ts';

type Listener = (reading: Reading<unknown>) => void;

/** One thing that is read, with everybody who watches it. */
export interface Source {
  readonly reading: Reading<unknown>;
  readonly last: Known<unknown> | null;
  /** How long the last complete reading took, ms. */
  readonly took: number;
  readonly watched: boolean;
  /** The newest `read` is used from now on: it knows the range of today. */
  listen(listener: Listener, read: Read<unknown>): void;
  unlisten(listener: Listener): void;
  start(): void;
  /** Starts for somebody who will listen soon. */
  ahead(read: Read<unknown>): void;
  /** Gives up the running request; what was there before stays. */
  cancel(): void;
  end(): void;
}

export function createSource(now: () => number, changed: () => void): Source {
  const listeners = new Set<Listener>();
  let read: Read<unknown> | null = null;
  let running: AbortController | null = null;
  let took = 0;
  let reading: Reading<unknown> = { kind: 'cancelled', last: null };

  function become(next: Reading<unknown>): void {
    reading = next;
    for (const listener of [...listeners]) listener(next);
    changed();
  }

  function give(next: Reading<unknown>): void {
    running?.abort();
    running = null;
    become(next);
  }

  async function start(): Promise<void> {
    if (read === null) return;
    running?.abort();
    const mine = new AbortController();
    running = mine;
    const since = now();
    const { last } = reading;
    become({ kind: 'loading', since, progress: null, last });
    try {
      const value = await read(mine.signal, (progress) => {
        if (mine === running) become({ kind: 'loading', since, progress, last });
      });
      if (mine !== running) return;
      running = null;
      took = now() - since;
      become({ kind: 'ready', last: { value, at: now() } });
    } catch (error) {
      if (mine !== running) return;
      running = null;
      become({ kind: 'failed', error, last });
    }
  }

  return {
    get reading() {
      return reading;
    },
    get last() {
      return reading.last;
    },
    get took() {
      return took;
    },
    get watched() {
      return listeners.size > 0;
    },
    listen(listener, reader) {
      listeners.add(listener);
      read = reader;
    },
    unlisten(listener) {
      listeners.delete(listener);
      if (listeners.size === 0 && running !== null) give({ kind: 'cancelled', last: reading.last });
    },
    start: () => void start(),
    ahead(reader) {
      read = reader;
      void start();
    },
    cancel: () => running !== null && give({ kind: 'cancelled', last: reading.last }),
    end() {
      listeners.clear();
      running?.abort();
      running = null;
    },
  };
}
