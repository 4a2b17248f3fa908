import type { Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { CompareDocument } from '../../questions/compare.ts';
import { ApiError } from '../api/api-error.ts';
import { sentence } from '../api/describe-error.ts';
import { type Changes, changesOf, NO_CHANGES } from '../model/changes.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import type { Scope } from '../readings/scope.ts';
import type { ViewContext } from '../router/view.ts';
import { resolveRange } from '../state/time-range.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

/** What `?against=` may say; the first is meant without it. */
export const AGAINST = [
  { name: 'before', label: 'the time before' },
  { name: 'week', label: 'a week earlier' },
  { name: 'off', label: 'nothing' },
] as const;
export type Against = (typeof AGAINST)[number]['name'];

export function againstOf({ state }: Pick<ViewContext, 'state'>): Against {
  return AGAINST.find(({ name }) => name === state.own.against)?.name ?? 'before';
}

export interface ChangesWanted {
  /** In place of the view's own. */
  readonly filters: Filters;
  /** It is not asked before: what is on the page would be drawn later. Has to end. */
  readonly after: Promise<void>;
}

/**
 * Compares each host and type with the time before, beside the numbers and after them: it reads samples, and the table
 * does not wait. What cannot be compared has a reason in its cell and fails nothing else.
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
  scope.watch<Changes>(
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
    (reading) => {
      if (reading.last !== null) changed(reading.last.value);
      else if (reading.kind === 'loading') changed({ kind: 'loading' });
      else changed({ kind: 'missing', reason: reading.kind === 'cancelled' ? 'cancelled' : 'the comparison failed' });
    },
  );
}
