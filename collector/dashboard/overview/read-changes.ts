import type { Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { CompareDocument } from '../../questions/compare.ts';
import { ApiError } from '../api/api-error.ts';
import { sentence } from '../api/describe-error.ts';
import { type Changes, changesOf, NO_CHANGES } from '../model/changes.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import type { Scope } from '../render/scope.ts';
import type { ViewContext } from '../render/view.ts';
import { resolveRange } from '../state/time-range.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

/** Values of `?against=`; the first is the default. */
export const AGAINST = [
  { name: 'before', label: 'preceding period' },
  { name: 'week', label: 'a week earlier' },
  { name: 'off', label: 'none' },
] as const;
export type Against = (typeof AGAINST)[number]['name'];

export function againstOf({ state }: Pick<ViewContext, 'state'>): Against {
  return AGAINST.find(({ name }) => name === state.own.against)?.name ?? 'before';
}

export interface ChangesWanted {
  /** Replaces the view's own filters. */
  readonly filters: Filters;
  /** The request waits for this, so that it does not delay the table. It must resolve. */
  readonly after: Promise<void>;
}

/**
 * Compares each host and type with an earlier range. It reads samples and is slower than the table, which does not wait for
 * it. A comparison that fails shows its reason in its cells only.
 */
export function readChanges(
  context: ViewContext,
  scope: Scope,
  { filters, after }: ChangesWanted,
  changed: (changes: Changes) => void,
): void {
  const against = againstOf(context);
  if (against === 'off') {
    changed(NO_CHANGES);
    return;
  }
  const { state, client, now } = context;
  const key = `changes ${against} ${JSON.stringify(filters)} ${viewKey(state)}`;
  scope.subscribe<Changes>(
    key,
    async (signal) => {
      await after;
      signal.throwIfAborted();
      const { from, to } = resolveRange(state.range, now());
      const shift = against === 'week' ? WEEK_MS : to - from;
      const before = new URLSearchParams({
        beforeFrom: new Date(from - shift).toISOString(),
        beforeTo: new Date(to - shift).toISOString(),
      });
      const query = viewQuery(state, now(), { by: ['host', 'type'], filters });
      try {
        return changesOf(await client.read<CompareDocument>(`/compare?${query}&${before}`, signal));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 401) throw error;
        return { kind: 'missing', reason: sentence(error.message).replace(/\.$/, '') };
      }
    },
    (query) => {
      if (query.last !== null) changed(query.last.value);
      else if (query.kind === 'loading') changed({ kind: 'loading' });
      else changed({ kind: 'missing', reason: query.kind === 'cancelled' ? 'cancelled' : 'the comparison failed' });
    },
  );
}
