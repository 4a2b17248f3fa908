import type { Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import type { Changes } from '../model/changes.ts';
import { overviewRows } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import { element } from '../render/element.ts';
import type { Scope } from '../render/scope.ts';
import { tableTools } from '../render/table-tools.ts';
import type { ViewContext } from '../render/view.ts';
import { withOwn } from '../state/view-state.ts';
import { overviewDocument } from './overview-document.ts';
import { type OverviewTable, overviewTable } from './overview-table.ts';
import { AGAINST, againstOf, readChanges } from './read-changes.ts';
import { tableActions } from './summary-content.ts';
import { tableLegend } from './table-legend.ts';

export interface TablePanelOptions {
  readonly title: string;
  readonly caption: string;
  /** All rows belong to one host: the type names the row. */
  readonly oneHost: boolean;
  readonly cells: readonly SummaryCell[];
  /** Filters for the comparison, instead of the view's own. */
  readonly filters: Filters;
}

/** The hosts × types table with heading, comparison, copy and CSV, legend, and the changes once they are known. */
export function tablePanel(context: ViewContext, scope: Scope, options: TablePanelOptions): HTMLElement {
  const { title, caption, oneHost, cells, filters } = options;
  let changes: Changes = { kind: 'loading' };
  let table: OverviewTable | null = null;
  let drawn: () => void = () => {};
  const complete = new Promise<void>((resolve) => {
    drawn = resolve;
  });
  const rows = () => sortRows(overviewRows(cells, changes), context.state.sort);
  // Calls back at once with the current state.
  readChanges(context, scope, { filters, after: complete }, (known) => {
    changes = known;
    table?.update(rows());
  });
  table = overviewTable({ ...tableActions(context), oneHost, caption, rows: rows() });
  void table.complete.then(drawn);
  return element(
    'section',
    { class: 'panel' },
    element(
      'div',
      { class: 'panel-head' },
      element('h2', {}, title),
      element(
        'div',
        { class: 'panel-tools' },
        againstControl(context),
        tableTools(oneHost ? 'types' : 'overview', () => overviewDocument(rows())),
      ),
      tableLegend(),
    ),
    table.element,
  );
}

function againstControl(context: ViewContext): HTMLElement {
  const chosen = againstOf(context);
  const select = element('select', { id: 'against', 'data-focus': 'against' });
  for (const { name, label } of AGAINST) {
    select.append(element('option', { value: name, selected: name === chosen }, label));
  }
  select.addEventListener('change', () => {
    const value = select.value === 'before' ? '' : select.value;
    context.navigate(withOwn(context.state, { against: value }));
  });
  return element('span', { class: 'against' }, element('label', { for: 'against' }, 'Change from'), select);
}
