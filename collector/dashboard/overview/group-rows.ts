import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import type { PageContext } from '../app/page-context.ts';
import { type Grouping, groupingLimits, rowDimensions } from '../model/groupings.ts';
import { topQuery, usersQuery, viewKey } from '../model/summary-queries.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';

/** The hosts and types within the groups of an overview: several times as much as the groups, so read only for an open one. */
export function groupRows(
  { state, client, now }: Pick<PageContext, 'state' | 'client' | 'now'>,
  grouping: Grouping,
): ViewQuery<SummaryDocument> {
  const top = topQuery(groupingLimits(grouping)?.rows);
  return {
    key: `overview rows ${grouping} ${viewKey(state)}`,
    read: (signal, report) =>
      client.summary(usersQuery(state, now(), { by: rowDimensions(grouping) }) + top, signal, report),
  };
}
