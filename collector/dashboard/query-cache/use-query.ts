import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { StandIn, usePage } from '../app/page-context.ts';
import type { Subscription } from './query-cache.ts';
import type { QueryState, ViewQuery } from './query-state.ts';

export interface UsedQuery<Value> {
  readonly state: QueryState<Value>;
  refresh(): void;
  cancel(): void;
}

interface Wait {
  /** Nothing is read yet. */
  readonly waits?: boolean;
}

/** Reads while the component is mounted, and renders it again whenever the state changes. */
export function useQuery<Value>({ key, read, waits = false }: ViewQuery<Value> & Wait): UsedQuery<Value> {
  const { cache, now } = usePage();
  const standIn = useContext(StandIn);
  const newest = useRef(read);
  newest.current = read;
  const used = useRef<{ readonly key: string; readonly subscription: Subscription } | null>(null);
  // Before the browser paints, and in the same turn in which replaced components unsubscribe.
  useLayoutEffect(() => {
    if (standIn || waits) return;
    const subscription = cache.subscribe<Value>(key, (signal, report) => newest.current(signal, report));
    used.current = { key, subscription };
    return () => {
      used.current = null;
      subscription.stop();
    };
  }, [cache, key, standIn, waits]);
  const state = cache.stateOf<Value>(key).value;
  const starts = state.kind === 'cancelled' && used.current?.key !== key;
  return {
    state: starts ? { kind: 'loading', since: now(), progress: null, last: state.last } : state,
    refresh: () => used.current?.subscription.refresh(),
    cancel: () => used.current?.subscription.cancel(),
  };
}
