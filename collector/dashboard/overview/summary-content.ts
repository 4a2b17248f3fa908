import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { plural } from '../../analysis/text/format.ts';
import { methodNote } from '../model/method-note.ts';
import { methodFooter } from '../render/method-footer.ts';
import { emptyView } from '../render/states.ts';
import type { ViewContext } from '../render/view.ts';
import { describeRange } from '../state/time-range.ts';
import { toView } from '../state/view-state.ts';
import type { OverviewTableOptions } from './overview-table.ts';
import { reportLinks } from './report-links.ts';
import { isTextColumn } from './table-columns.ts';

/** Content of a view based on a summary, with its method below; without samples the empty state instead. */
export function summaryContent(
  document: SummaryDocument,
  { state, navigate, announce, now }: ViewContext,
  draw: () => readonly Node[],
): readonly Node[] {
  const rows = document.cells.length;
  announce(rows === 0 ? 'Nothing to show in this view' : `${plural(rows, 'row')} shown`);
  if (rows === 0) {
    const filtered = Object.keys(state.filters).length > 0 || state.view === 'host';
    const clear = () => navigate({ ...toView(state, 'overview'), filters: {} });
    const longer = () => navigate({ ...state, range: { preset: '30d' } });
    return [emptyView({ method: document.method, filtered, range: describeRange(state.range), clear, longer })];
  }
  return [...draw(), reportLinks({ state, now }), methodFooter(methodNote(document.method))];
}

/** Order, links and sorting of the hosts × types table. */
export function tableActions({
  state,
  link,
  navigate,
}: ViewContext): Pick<OverviewTableOptions, 'sort' | 'link' | 'sortBy'> {
  return {
    sort: state.sort,
    link: ({ host, type }) => link(toView(state, 'host', { page: host, kind: type })),
    sortBy(column) {
      const turned = state.sort.column === column ? !state.sort.descending : !isTextColumn(column);
      navigate({ ...state, sort: { column, descending: turned } });
    },
  };
}
