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
  /** A value could not be refreshed, or the collector is unreachable. A panel that never loaded shows its own error. */
  readonly failed: boolean;
  /** The first of the errors behind `failed`. */
  readonly error: unknown;
  /** The session has ended: an answer was 401. */
  readonly denied: boolean;
}

/** All queries of the page, by key. Panels with the same key share one request. */
export interface QueryCache {
  subscribe<Value>(key: string, read: Read<Value>, changed: (state: QueryState<Value>) => void): Subscription;
  /** Starts a query that is about to be subscribed to. */
  prefetch(key: string, read: Read<unknown>): void;
  status(): CacheStatus;
  /** Repeats the queries on the page: all of them, those that have rested long enough, or those that failed. */
  refresh(which: 'all' | 'rested' | 'failed'): void;
  /** Drops every value: another user may sign in. */
  clear(): void;
}

export function createQueryCache(now: () => number, changed: () => void): QueryCache {
  const queries = new Map<string, Query>();

  function queryOf(key: string): Query {
    const query = queries.get(key) ?? createQuery(now, changed);
    // Least recently used first: those are evicted first.
    queries.delete(key);
    queries.set(key, query);
    for (const [other, { active }] of queries) {
      if (queries.size <= MAX_QUERIES) break;
      if (!active && other !== key) queries.delete(other);
    }
    return query;
  }

  const activeQueries = () => [...queries.values()].filter(({ active }) => active);

  return {
    subscribe<Value>(key: string, read: Read<Value>, listener: (state: QueryState<Value>) => void) {
      const query = queryOf(key);
      const age = query.last === null ? Number.POSITIVE_INFINITY : now() - query.last.at;
      // Leaving a page and coming back does not repeat a slow query.
      const rest = query.state.kind === 'ready' ? query.took * REST_FACTOR : 0;
      const started = query.active || query.state.kind === 'loading';
      const stale = !started && age > Math.max(FRESH_MS, rest);
      const listen = (state: QueryState<unknown>) => listener(state as QueryState<Value>);
      query.listen(listen, read);
      if (stale) query.start();
      else listen(query.state);
      return {
        refresh: () => query.start(),
        cancel: () => query.cancel(),
        stop: () => query.unlisten(listen),
      };
    },
    prefetch: (key, read) => queryOf(key).prefetch(read),
    status() {
      const all = activeQueries();
      const times = all.flatMap(({ last }) => (last === null ? [] : [last.at]));
      const failed = all.flatMap(({ state }) => (state.kind === 'failed' ? [state] : []));
      const stale = failed.filter(({ error, last }) => last !== null || error instanceof UnreachableError);
      return {
        loading: all.some(({ state }) => state.kind === 'loading'),
        oldest: times.length === 0 ? null : Math.min(...times),
        failed: stale.length > 0,
        error: stale[0]?.error,
        denied: failed.some(({ error }) => error instanceof ApiError && error.status === 401),
      };
    },
    refresh(which) {
      for (const query of activeQueries()) {
        const { kind, last } = query.state;
        if (kind === 'loading') continue;
        const rested = kind === 'ready' && now() - last.at >= query.took * REST_FACTOR;
        if (which === 'all' || kind === 'failed' || (which === 'rested' && rested)) query.start();
      }
    },
    clear() {
      for (const query of queries.values()) query.end();
      queries.clear();
    },
  };
}
