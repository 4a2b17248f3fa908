import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, UnreachableError } from '../api/api-error.ts';
import { createQuery, type Query } from './query.ts';
import type { QueryState, Read } from './query-state.ts';

/** Values kept so that going back in the history shows them at once. */
const MAX_QUERIES = 80;
/** A younger value is not read again when its view is reopened, ms. */
const FRESH_MS = 10_000;
/** A query is not repeated until this many times its own duration has passed, so that slow ones run less often. */
const REST_FACTOR = 20;

export interface Subscription {
  refresh(): void;
  cancel(): void;
  /** A request without subscribers is aborted; its last value stays cached. */
  stop(): void;
}

/** The state of everything on the page taken together. */
export interface CacheStatus {
  readonly loading: boolean;
  /** When the oldest value on the page was read, epoch ms; null if there is none. */
  readonly oldest: number | null;
  /** The same of the newest value: when the collector last answered. */
  readonly newest: number | null;
  /** A value could not be refreshed, or the collector is unreachable. A panel that never loaded shows its own error. */
  readonly failed: boolean;
  /** The first of the errors behind `failed`. */
  readonly error: unknown;
  /** The session has ended: an answer was 401. */
  readonly denied: boolean;
}

/** All queries of the page, by key. Panels with the same key share one request. */
export interface QueryCache {
  readonly status: ReadonlySignal<CacheStatus>;
  subscribe<Value>(key: string, read: Read<Value>): Subscription;
  stateOf<Value>(key: string): ReadonlySignal<QueryState<Value>>;
  /** Starts a query that is about to be subscribed to. */
  prefetch(key: string, read: Read<unknown>): void;
  /** Repeats the queries on the page: all of them, those that have rested long enough, or those that failed. */
  refresh(which: 'all' | 'rested' | 'failed'): void;
  /** Reads again, restarting a running request: its answer may predate a change. */
  reread(key: string): void;
  /** Drops every value: another user may sign in. */
  clear(): void;
}

export function createQueryCache(now: () => number): QueryCache {
  const queries = new Map<string, Query>();
  /** The queries on the page: those with subscribers. */
  const active = signal<readonly Query[]>([]);
  const countActive = () => {
    active.value = [...queries.values()].filter((query) => query.active);
  };

  function queryOf(key: string): Query {
    const query = queries.get(key) ?? createQuery(now);
    // Least recently used first: those are evicted first.
    queries.delete(key);
    queries.set(key, query);
    for (const [other, { active }] of queries) {
      if (queries.size <= MAX_QUERIES) break;
      if (!active && other !== key) queries.delete(other);
    }
    return query;
  }

  return {
    status: computed(() => {
      const states = active.value.map(({ state }) => state.value);
      const times = states.flatMap(({ last }) => (last === null ? [] : [last.at]));
      const failed = states.flatMap((state) => (state.kind === 'failed' ? [state] : []));
      const stale = failed.filter(({ error, last }) => last !== null || error instanceof UnreachableError);
      return {
        loading: states.some(({ kind }) => kind === 'loading'),
        oldest: times.length === 0 ? null : Math.min(...times),
        newest: times.length === 0 ? null : Math.max(...times),
        failed: stale.length > 0,
        error: stale[0]?.error,
        denied: failed.some(({ error }) => error instanceof ApiError && error.status === 401),
      };
    }),
    subscribe(key, read) {
      const query = queryOf(key);
      const { kind, last } = query.state.peek();
      const age = last === null ? Number.POSITIVE_INFINITY : now() - last.at;
      // Leaving a page and coming back does not repeat a slow query.
      const rest = kind === 'ready' ? query.took * REST_FACTOR : 0;
      const stale = !query.active && kind !== 'loading' && age > Math.max(FRESH_MS, rest);
      const subscriber = {};
      query.add(subscriber, read);
      countActive();
      if (stale) query.start();
      return {
        refresh: () => query.start(),
        cancel: () => query.cancel(),
        stop() {
          query.remove(subscriber);
          countActive();
        },
      };
    },
    stateOf: <Value>(key: string) => queryOf(key).state as ReadonlySignal<QueryState<Value>>,
    prefetch(key, read) {
      const query = queryOf(key);
      if (!query.active) query.prefetch(read);
    },
    refresh(which) {
      for (const query of active.peek()) {
        const { kind, last } = query.state.peek();
        if (kind === 'loading') continue;
        const rested = kind === 'ready' && now() - last.at >= query.took * REST_FACTOR;
        if (which === 'all' || kind === 'failed' || (which === 'rested' && rested)) query.start();
      }
    },
    reread: (key) => queries.get(key)?.start(),
    clear() {
      for (const query of queries.values()) query.end();
      queries.clear();
      countActive();
    },
  };
}
