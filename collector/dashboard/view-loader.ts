import { DIMENSIONS } from '../../shared/summary/dimensions.ts';
import type { SummaryDocument } from '../../shared/summary/summary-document.ts';
import type { ApiClient } from './api/api-client.ts';
import { summaryQueries } from './model/summary-queries.ts';
import type { ViewState } from './state/view-state.ts';

/** Views kept for going back, so that "back" shows at once what was there. */
const KEPT_VIEWS = 20;

interface Shown {
  readonly documents: Readonly<Record<string, SummaryDocument>>;
  /** When it was read, epoch ms. */
  readonly at: number;
}

type LoadOutcome =
  | { readonly kind: 'loaded' }
  /** Another load was started, or `stop` called, before this one ended. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Reads what a view needs, one view at a time, and remembers the last ones. */
export interface ViewLoader {
  load(state: ViewState): Promise<LoadOutcome>;
  /** The newest answer for this view, however old. */
  shown(state: ViewState): Shown | undefined;
  readonly busy: boolean;
  stop(): void;
  forget(): void;
}

export function createViewLoader(client: ApiClient, now: () => number): ViewLoader {
  const views = new Map<string, Shown>();
  let current: AbortController | null = null;

  function keep(key: string, shown: Shown): void {
    views.delete(key);
    views.set(key, shown);
    const oldest = views.keys().next().value;
    if (views.size > KEPT_VIEWS && oldest !== undefined) views.delete(oldest);
  }

  async function load(state: ViewState): Promise<LoadOutcome> {
    current?.abort();
    const mine = new AbortController();
    current = mine;
    try {
      const answers = await Promise.all(
        Object.entries(summaryQueries(state, now())).map(
          async ([name, query]) => [name, await client.summary(query, mine.signal)] as const,
        ),
      );
      if (mine !== current) return { kind: 'superseded' };
      keep(viewKey(state), { documents: Object.fromEntries(answers), at: now() });
      current = null;
      return { kind: 'loaded' };
    } catch (error) {
      if (mine !== current) return { kind: 'superseded' };
      current = null;
      return { kind: 'failed', error };
    }
  }

  return {
    load,
    shown: (state) => views.get(viewKey(state)),
    get busy() {
      return current !== null;
    },
    stop() {
      current?.abort();
      current = null;
    },
    forget: () => views.clear(),
  };
}

/** Order and chosen type do not change what is read. */
export function viewKey({ range, page, filters }: ViewState): string {
  return JSON.stringify([range, page, DIMENSIONS.map((dimension) => filters[dimension] ?? [])]);
}
