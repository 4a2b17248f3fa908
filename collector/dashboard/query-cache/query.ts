import type { CachedValue, QueryState, Read } from './query-state.ts';

type Listener = (state: QueryState<unknown>) => void;

/** One request with its last value and its subscribers. */
export interface Query {
  readonly state: QueryState<unknown>;
  readonly last: CachedValue<unknown> | null;
  /** Duration of the last complete request, ms. */
  readonly took: number;
  /** Has subscribers. */
  readonly active: boolean;
  /** `read` replaces the one before: only the newest resolves the range against the current time. */
  listen(listener: Listener, read: Read<unknown>): void;
  unlisten(listener: Listener): void;
  start(): void;
  /** Starts before there is a subscriber. */
  prefetch(read: Read<unknown>): void;
  /** Aborts the running request and keeps the last value. */
  cancel(): void;
  end(): void;
}

export function createQuery(now: () => number, changed: () => void): Query {
  const listeners = new Set<Listener>();
  let read: Read<unknown> | null = null;
  let running: AbortController | null = null;
  let took = 0;
  let state: QueryState<unknown> = { kind: 'cancelled', last: null };

  function become(next: QueryState<unknown>): void {
    state = next;
    for (const listener of [...listeners]) listener(next);
    changed();
  }

  function cancel(): void {
    if (running === null) return;
    running.abort();
    running = null;
    become({ kind: 'cancelled', last: state.last });
  }

  async function start(): Promise<void> {
    if (read === null) return;
    running?.abort();
    const mine = new AbortController();
    running = mine;
    const since = now();
    const { last } = state;
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
    get state() {
      return state;
    },
    get last() {
      return state.last;
    },
    get took() {
      return took;
    },
    get active() {
      return listeners.size > 0;
    },
    listen(listener, reader) {
      listeners.add(listener);
      read = reader;
    },
    unlisten(listener) {
      listeners.delete(listener);
      if (listeners.size === 0) cancel();
    },
    start: () => void start(),
    prefetch(reader) {
      read = reader;
      void start();
    },
    cancel,
    end() {
      listeners.clear();
      running?.abort();
      running = null;
    },
  };
}
