import type { OverviewRow } from '../model/overview-row.ts';
import { element } from '../render/element.ts';
import { hintSides } from '../render/hint-sides.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { type SpreadScale, spreadScale } from '../render/spread-picture.ts';
import type { ColumnId } from '../state/column-ids.ts';
import type { Sort } from '../state/view-state.ts';
import { type DrawnRows, drawRows, firstRowCount } from './draw-rows.ts';
import { rowDetail } from './row-detail.ts';
import { columnGroups } from './table-columns.ts';
import { tableHead } from './table-head.ts';
import { changeCell, tableRow } from './table-row.ts';

export interface OverviewTableOptions {
  readonly caption: string;
  /** All rows belong to one host: the type names the row. */
  readonly oneHost: boolean;
  readonly rows: readonly OverviewRow[];
  readonly sort: Sort;
  /** Link of a row: the host's page with that type selected. */
  link(row: OverviewRow): string;
  sortBy(column: ColumnId): void;
}

export interface OverviewTable {
  readonly element: HTMLElement;
  /** Resolves when every row is drawn, or when the table has left the page. */
  readonly complete: Promise<void>;
  /** The same rows with their changes, perhaps in another order. */
  update(rows: readonly OverviewRow[]): void;
}

/** Names of the rows whose detail is open; kept until the page is reloaded. */
const open = new Set<string>();

/** Hosts × types with median and average. It scrolls inside its own box. */
export function overviewTable(options: OverviewTableOptions): OverviewTable {
  const holder = element('div', {});
  let { rows } = options;
  let drawn = drawTable(holder, options, rows);
  const complete = drawn.complete;
  return {
    element: holder,
    complete,
    update(next) {
      const sameOrder = next.length === rows.length && next.every((row, i) => row.key === rows[i]?.key);
      rows = next;
      if (sameOrder) {
        drawn.update(next);
        return;
      }
      drawn.stop();
      drawn = drawTable(holder, options, next);
    },
  };
}

/** Draws into `holder`: the visible rows at once, the rest when the page is idle. */
function drawTable(holder: HTMLElement, options: OverviewTableOptions, rows: readonly OverviewRow[]): DrawnRows {
  const { caption, oneHost, sort, link, sortBy } = options;
  // Starts at 1 for the spread column, which is in no group.
  const columnCount = columnGroups(oneHost).reduce((sum, { columns }) => sum + columns.length, 1);
  const scale = spreadScale(rows.map(({ spread }) => spread));
  const body = element('tbody', { role: 'rowgroup' });
  const spacer = element('div', { class: 'rows-to-come' });
  const box = element(
    'div',
    {
      class: 'table-box overview-box',
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
    spacer,
  );
  const drawn = drawRows({
    rows,
    firstCount: firstRowCount(rows),
    body,
    spacer,
    nodesOf: (row, redraw) => nodesOf(row, { oneHost, scale, columnCount, href: link(row), redraw }),
    refresh: (line, row) => line.querySelector(':scope > .change')?.replaceWith(changeCell(row)),
    progress(count) {
      box.dataset.drawn = String(count);
    },
  });
  replaceKeepingFocus(holder, hintSides(box));
  return drawn;
}

interface RowContext {
  readonly oneHost: boolean;
  readonly scale: SpreadScale;
  readonly columnCount: number;
  readonly href: string;
  redraw(): void;
}

/** A row, and its detail below if that is open. */
function nodesOf(row: OverviewRow, { redraw, columnCount, ...rest }: RowContext): readonly HTMLElement[] {
  const { name } = row;
  const detailId = `detail-${row.key}`;
  const isOpen = open.has(name);
  const toggle = () => {
    if (!open.delete(name)) open.add(name);
    redraw();
  };
  const line = tableRow(row, { ...rest, name, open: isOpen, detailId, toggle });
  return isOpen ? [line, rowDetail(row, columnCount, detailId)] : [line];
}
