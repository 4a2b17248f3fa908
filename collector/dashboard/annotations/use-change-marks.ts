import { useMemo } from 'preact/hooks';
import { partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import { changeEvents, keyOfChange } from '../../analysis/changes/change-events.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import type { ChangesDocument } from '../../questions/changes.ts';
import { type PageContext, usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { viewQuestion } from '../model/summary-queries.ts';
import { valueLabel } from '../model/value-label.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { resolveRange } from '../state/time-range.ts';
import { formatDifference, localZone } from '../text/format.ts';

const DAY_MS = 24 * 3_600_000;
/** A change is known four days after it, at the earliest. */
const MIN_RANGE_MS = 4 * DAY_MS;
/** More would cover the chart. */
const MOST_MARKS = 3;

/** The lasting changes of everything in the view; they wait where the range is too short to know any. */
export function lastingChanges(page: PageContext): ViewQuery<ChangesDocument> & { readonly waits: boolean } {
  const { from, to } = resolveRange(page.state.range, page.now());
  const extra = `&zone=${encodeURIComponent(localZone())}`;
  return { ...viewQuestion(page, 'changes', { users: true, extra }), waits: to - from < MIN_RANGE_MS };
}

/** Local midnight of a date. */
export function startOfDate(date: string): number {
  return Date.parse(`${date}T00:00`);
}

/** The largest lasting changes in the view's range as a chart over time marks them. @param host that the page is about */
export function useChangeMarks(host: string | null = null): readonly ChartAnnotation[] {
  const page = usePage();
  const names = useAppNames();
  const changes = useQuery<ChangesDocument>(lastingChanges(page)).state.last?.value.changes;
  return useMemo(
    () =>
      changeEvents((changes ?? []).filter((change) => host === null || keyOfChange(change).host === host))
        .map(({ lead }) => ({ lead, at: startOfDate(lead.since) }))
        .slice(0, MOST_MARKS)
        .map(({ lead, at }) => {
          const about = partsOfKey(keyOfChange(lead))
            .filter(({ dimension }) => dimension !== 'host' || host === null)
            .map(({ dimension, value }) => valueLabel(dimension, value, names));
          // The number first: a long name is cut off.
          return { at, until: null, text: [`${formatDifference(lead.difference)} ms`, ...about].join(' ') };
        }),
    [changes, host, names],
  );
}
