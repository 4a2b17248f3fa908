import type { QueryCache, Subscription } from '../query-cache/query-cache.ts';
import type { QueryState, Read } from '../query-cache/query-state.ts';
import { panelElement } from './panel.ts';

export interface PanelSpec<Value> {
  /** Identifies what is read, without the clock: panels with the same key share one request and its cached value. */
  readonly key: string;
  /** Read out while the panel loads; `data-panel` for tests. */
  readonly name: string;
  readonly read: Read<Value>;
  /** The content for a value, drawn again for each new value. Nested panels belong in the given scope. */
  render(value: Value, scope: Scope): readonly Node[];
  /** Shape of the placeholder while loading; a whole view by default. */
  readonly shape?: 'view' | 'chart';
}

/** Creates the panels of a page that read data, and stops them together when the page changes. */
export interface Scope {
  panel<Value>(spec: PanelSpec<Value>): HTMLElement;
  /** Reads without a panel; `changed` is called at once with the current state. */
  subscribe<Value>(key: string, read: Read<Value>, changed: (state: QueryState<Value>) => void): void;
  stop(): void;
}

export function createScope(cache: QueryCache): Scope {
  const ends: (() => void)[] = [];
  return {
    panel<Value>(spec: PanelSpec<Value>): HTMLElement {
      let inner: Scope | null = null;
      let drawnAt: number | null = null;
      let subscription: Subscription | null = null;
      const panel = panelElement(spec.name, spec.shape ?? 'view', {
        retry: () => subscription?.refresh(),
        cancel: () => subscription?.cancel(),
      });
      const changed = (state: QueryState<Value>) => {
        const { last } = state;
        if (last !== null && last.at !== drawnAt) {
          drawnAt = last.at;
          const before = inner;
          inner = createScope(cache);
          panel.fill(spec.render(last.value, inner));
          // After the new panels subscribed, so that a request both share is not aborted.
          before?.stop();
        }
        panel.state(state);
      };
      subscription = cache.subscribe(spec.key, spec.read);
      const unlisten = cache.stateOf<Value>(spec.key).subscribe(changed);
      ends.push(() => {
        unlisten();
        subscription?.stop();
        inner?.stop();
        panel.end();
      });
      return panel.element;
    },
    subscribe<Value>(key: string, read: Read<Value>, changed: (state: QueryState<Value>) => void) {
      const subscription = cache.subscribe(key, read);
      const unlisten = cache.stateOf<Value>(key).subscribe(changed);
      ends.push(() => {
        unlisten();
        subscription.stop();
      });
    },
    stop() {
      for (const end of ends.splice(0)) end();
    },
  };
}
