import type { Filters } from '../../../shared/summary/dimensions.ts';
import type { SummaryCell } from '../../../shared/summary/summary-document.ts';
import type { Changes } from '../model/changes.ts';
import { overviewRows } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import type { Scope } from '../readings/scope.ts';
import { element } from '../render/element.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { tableTools } from '../render/table-tools.ts';
import type { ViewContext } from '../router/view.ts';
import { withOwn } from '../state/view-state.ts';
import { overviewDocument } from './overview-document.ts';
import { overviewTable } from './overview-table.ts';
import { AGAINST, againstOf, readChanges } from './read-changes.ts';
import { tableActions } from './summary-content.ts';
import { tableLegend } from './table-legend.ts';

export interface TablePanelOptions {
  readonly title: string;
  readonly caption: string;
  /** All rows are of one host: the type names the row. */
  readonly oneHost: boolean;
  readonly cells: readonly SummaryCell[];
  /** In place of the view's own, for the comparison. */
  readonly filters: Filters;
}

/** Hosts × types in a box: heading, what to compare with, copy and CSV, legend, and the changes once they are known. */
export function tablePanel(context: ViewContext, scope: Scope, options: TablePanelOptions): HTMLElement {
  const { title, caption, oneHost, cells, filters } = options;
  const holder = element('div', { class: 'table-holder' });
  let changes: Changes = { kind: 'loading' };
  const rows = () => sortRows(overviewRows(cells, changes), context.state.sort);
  readChanges(context, scope, filters, (known) => {
    changes = known;
    const table = overviewTable({ ...tableActions(context), oneHost, caption, rows: rows() });
    replaceKeepingFocus(holder, table);
  });
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
    holder,
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
  return element('span', { class: 'against' }, element('label', { for: 'against' }, 'Change against'), select);
}
