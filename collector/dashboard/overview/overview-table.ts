import type { OverviewRow } from '../model/overview-row.ts';
import { element } from '../render/element.ts';
import { hintSides } from '../render/hint-sides.ts';
import { replaceKeepingFocus } from '../render/keep-focus.ts';
import { type SpreadScale, spreadScale } from '../render/spread-picture.ts';
import type { ColumnId } from '../state/column-ids.ts';
import type { Sort } from '../state/view-state.ts';
import { type DrawnRows, drawRows, rowsToBeginWith } from './draw-rows.ts';
import { rowDetail } from './row-detail.ts';
import { columnGroups } from './table-columns.ts';
import { tableHead } from './table-head.ts';
import { changeCell, tableRow } from './table-row.ts';

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

export interface OverviewTable {
  readonly element: HTMLElement;
  /** Resolves when every row is there, or the table is not on the page any more. */
  readonly complete: Promise<void>;
  /** The same rows once more is known of their change, perhaps in another order. */
  update(rows: readonly OverviewRow[]): void;
}

/** Rows whose explanation is open, by name; they stay so while the page is. */
const open = new Set<string>();

/** Hosts × types with median and average side by side. It scrolls inside its own box. */
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

/** Draws into `holder`: what fits the screen at once, the rest as soon as the page is idle. */
function drawTable(holder: HTMLElement, options: OverviewTableOptions, rows: readonly OverviewRow[]): DrawnRows {
  const { caption, oneHost, sort, link, sortBy } = options;
  // The picture of the distribution is a column without a name of its own.
  const columnCount = columnGroups(oneHost).reduce((sum, { columns }) => sum + columns.length, 1);
  const scale = spreadScale(rows.map(({ spread }) => spread));
  const body = element('tbody', { role: 'rowgroup' });
  const toCome = element('div', { class: 'rows-to-come' });
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
    toCome,
  );
  const drawn = drawRows({
    rows,
    beginWith: rowsToBeginWith(rows),
    body,
    toCome,
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

/** A row, and below it what explains it where that is open. */
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
