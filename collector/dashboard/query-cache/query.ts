import { type ReadonlySignal, signal } from '@preact/signals';
import type { QueryState, Read } from './query-state.ts';

/** One request with its last value and its subscribers. */
export interface Query {
  readonly state: ReadonlySignal<QueryState<unknown>>;
  /** Duration of the last complete request, ms. */
  readonly took: number;
  /** Has subscribers. */
  readonly active: boolean;
  /** `read` replaces the previous one: only the newest resolves the range against the current time. */
  add(subscriber: object, read: Read<unknown>): void;
  /** A request whose last subscriber leaves is aborted, unless another one subscribes in the same turn. */
  remove(subscriber: object): void;
  start(): void;
  /** Starts before there is a subscriber. */
  prefetch(read: Read<unknown>): void;
  /** Aborts the running request and keeps the last value. */
  cancel(): void;
  end(): void;
}

export function createQuery(now: () => number): Query {
  const subscribers = new Set<object>();
  const state = signal<QueryState<unknown>>({ kind: 'cancelled', last: null });
  let read: Read<unknown> | null = null;
  let running: AbortController | null = null;
  let took = 0;

  function cancel(): void {
    if (running === null) return;
    running.abort();
    running = null;
    state.value = { kind: 'cancelled', last: state.peek().last };
  }

  async function start(): Promise<void> {
    if (read === null) return;
    running?.abort();
    const mine = new AbortController();
    running = mine;
    const since = now();
    const { last } = state.peek();
    state.value = { kind: 'loading', since, progress: null, last };
    try {
      const value = await read(mine.signal, (progress) => {
        if (mine === running) state.value = { kind: 'loading', since, progress, last };
      });
      if (mine !== running) return;
      running = null;
      took = now() - since;
      state.value = { kind: 'ready', last: { value, at: now() } };
    } catch (error) {
      if (mine !== running) return;
      running = null;
      state.value = { kind: 'failed', error, last };
    }
  }

  return {
    state,
    get took() {
      return took;
    },
    get active() {
      return subscribers.size > 0;
    },
    add(subscriber, reader) {
      subscribers.add(subscriber);
      read = reader;
    },
    remove(subscriber) {
      if (!subscribers.delete(subscriber)) return;
      queueMicrotask(() => {
        if (subscribers.size === 0) cancel();
      });
    },
    start: () => void start(),
    prefetch(reader) {
      read = reader;
      void start();
    },
    cancel,
    end() {
      subscribers.clear();
      running?.abort();
      running = null;
    },
  };
}
