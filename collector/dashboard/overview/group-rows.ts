import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import type { PageContext } from '../app/page-context.ts';
import { type Grouping, groupingLimits, rowDimensions } from '../model/groupings.ts';
import { topQuery, viewQuestion } from '../model/summary-queries.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';

/** The hosts and types within the groups of an overview: several times as much as the groups, so read only for an open one. */
export function groupRows(
  context: Pick<PageContext, 'state' | 'client' | 'now'>,
  grouping: Grouping,
): ViewQuery<SummaryDocument> {
  const extra = topQuery(groupingLimits(grouping)?.rows);
  return viewQuestion(context, 'summary', { users: true, by: rowDimensions(grouping), extra });
}
