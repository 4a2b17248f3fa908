import { useRef } from 'preact/hooks';
import type { AskedDimension, Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { CompareDocument } from '../../questions/compare.ts';
import { ApiError } from '../api/api-error.ts';
import { toHeadline } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { type Changes, NO_CHANGES, toChanges } from '../model/row-changes.ts';
import { usersQuery, viewKey } from '../model/summary-queries.ts';
import type { QueryState } from '../query-cache/query-state.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { resolveRange } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';
import { t } from '../text/t.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

/** Values of `?against=`; the first is the default. */
export const AGAINST = ['before', 'week', 'off'] as const;

export function toAgainst({ own }: ViewState): (typeof AGAINST)[number] {
  return AGAINST.find((name) => name === own.against) ?? 'before';
}

// Constants, so that the rows are computed only once for each.
const LOADING: Changes = { kind: 'loading' };
const CANCELLED: Changes = { kind: 'missing', reason: t.overview.changes.cancelled };
const FAILED: Changes = { kind: 'missing', reason: t.overview.changes.failed };

interface Comparison {
  /** Dimensions of the rows. */
  readonly by: readonly AskedDimension[];
  /** Replace the view's own. */
  readonly filters: Filters;
  /** Rows are shown, and all of them are drawn. */
  readonly wanted: boolean;
}

/**
 * Compares each row with an earlier range. It reads samples and is slower than the table, so it waits until it is wanted.
 * A comparison that fails shows its reason in its cells only.
 */
export function useChanges({ by, filters, wanted }: Comparison): Changes {
  const { state, client, now } = usePage();
  const against = toAgainst(state);
  const key = `changes ${against} ${by} ${JSON.stringify(filters)} ${viewKey(state)}`;
  // Once wanted it stays: a group that is opened is drawn in steps, which must not cancel the comparison.
  const started = useRef('');
  if (wanted) started.current = key;
  const off = against === 'off';
  const read = async (signal: AbortSignal): Promise<Changes> => {
    const { from, to } = resolveRange(state.range, now());
    const shift = against === 'week' ? WEEK_MS : to - from;
    const before = new URLSearchParams({
      beforeFrom: new Date(from - shift).toISOString(),
      beforeTo: new Date(to - shift).toISOString(),
    });
    const query = usersQuery(state, now(), { by, filters });
    try {
      return toChanges(await client.read<CompareDocument>(`/compare?${query}&${before}`, signal));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      return { kind: 'missing', reason: toHeadline(error).replace(/\.$/, '') };
    }
  };
  const { state: query } = useQuery<Changes>({ key, read, waits: off || started.current !== key });
  return off ? NO_CHANGES : changesIn(query);
}

function changesIn({ kind, last }: QueryState<Changes>): Changes {
  if (last !== null) return last.value;
  return kind === 'loading' ? LOADING : kind === 'cancelled' ? CANCELLED : FAILED;
}
