import type { SummaryDocument } from '../../../shared/summary/summary-document.ts';
import type { ColumnId } from '../model/column-ids.ts';
import { describeRange } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';
import { hostView } from './host-view.ts';
import { overviewView, type TableActions } from './overview-view.ts';
import { emptyView } from './states.ts';

export interface MainActions {
  link(state: ViewState): string;
  navigate(state: ViewState): void;
  sortBy(column: ColumnId): void;
  toggle(name: string): void;
}

/** Which view a state asks for: nothing there, one host, or all of them. */
export function mainView(
  state: ViewState,
  { cells, whole }: Readonly<Record<string, SummaryDocument>>,
  open: ReadonlySet<string>,
  actions: MainActions,
): readonly HTMLElement[] {
  if (cells === undefined) return [];
  if (cells.cells.length === 0) {
    const filtered = Object.keys(state.filters).length > 0 || state.page !== null;
    const clear = () => actions.navigate({ ...state, filters: {}, page: null, kind: null });
    const longer = () => actions.navigate({ ...state, range: { preset: '30d' } });
    return [emptyView(filtered, describeRange(state.range), clear, longer)];
  }
  const table: TableActions = {
    sort: state.sort,
    open,
    link: ({ host, type }) => actions.link({ ...state, page: host, kind: type }),
    sortBy: (column) => actions.sortBy(column),
    toggle: (name) => actions.toggle(name),
  };
  if (state.page === null || whole === undefined) return overviewView(cells, table);
  return hostView(state.page, state.kind, cells, whole, {
    ...table,
    home: actions.link({ ...state, page: null, kind: null }),
    linkKind: (kind) => actions.link({ ...state, kind }),
  });
}
