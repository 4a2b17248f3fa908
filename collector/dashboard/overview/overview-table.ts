import type { ColumnId } from '../model/column-ids.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import { element } from '../render/element.ts';
import { hintSides } from '../render/hint-sides.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { spreadScale } from '../render/spread-picture.ts';
import type { Sort } from '../state/view-state.ts';
import { rowDetail } from './row-detail.ts';
import { columnGroups } from './table-columns.ts';
import { tableHead } from './table-head.ts';
import { tableRow } from './table-row.ts';

export interface OverviewTableOptions {
  readonly caption: string;
  /** All rows are of one host: the type names the row. */
  readonly oneHost: boolean;
  readonly rows: readonly OverviewRow[];
  readonly sort: Sort;
  /** Where a row leads: the host's page with that type chosen. */
  link(row: OverviewRow): string;
  sortBy(column: ColumnId): void;
}

/** Rows whose explanation is open, `host type`; they stay so while the page is. */
const open = new Set<string>();

/** Hosts × types with median and average side by side. It scrolls inside its own box. */
export function overviewTable(options: OverviewTableOptions): HTMLElement {
  const holder = element('div', {});
  const redraw = () => {
    const toggle = (name: string) => {
      if (!open.delete(name)) open.add(name);
      redraw();
    };
    replaceKeepingFocus(holder, table(options, toggle));
  };
  redraw();
  return holder;
}

function table(
  { caption, oneHost, rows, sort, link, sortBy }: OverviewTableOptions,
  toggle: (name: string) => void,
): HTMLElement {
  // The picture of the distribution is a column without a name of its own.
  const columnCount = columnGroups(oneHost).reduce((sum, { columns }) => sum + columns.length, 1);
  const scale = spreadScale(rows.map(({ spread }) => spread));
  const body = element('tbody', { role: 'rowgroup' });
  for (const row of rows) {
    const name = `${row.host} ${row.type}`;
    const detailId = `detail-${row.key}`;
    const isOpen = open.has(name);
    body.append(
      tableRow(row, { name, oneHost, open: isOpen, detailId, href: link(row), scale, toggle: () => toggle(name) }),
    );
    if (isOpen) body.append(rowDetail(row, columnCount, detailId));
  }
  return hintSides(
    element(
      'div',
      {
        class: 'table-box',
        tabindex: 0,
        role: 'region',
        'aria-label': caption,
        'data-scroll': 'overview',
        'data-focus': 'table',
        'data-rows': rows.length,
      },
      element(
        'table',
        { class: 'overview', role: 'table' },
        element('caption', { class: 'spoken' }, caption),
        tableHead(oneHost, sort, sortBy),
        body,
      ),
    ),
  );
}
