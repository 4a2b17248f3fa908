import { PHASES } from '../../../shared/timing/time-names.ts';
import type { ColumnId } from '../model/column-ids.ts';
import { formatCount, formatDifference, formatShare } from '../model/format.ts';
import type { OverviewRow } from '../model/overview-row.ts';
import { PHASE_LABELS } from '../model/words.ts';
import type { Sort } from '../state/view-state.ts';
import { connectionBar, pairCells, unknownMark, verdictBadge } from './cells.ts';
import { button, type Child, element, spoken } from './element.ts';
import { rowDetail } from './row-detail.ts';
import { type SpreadScale, spreadPicture, spreadScale } from './spread-picture.ts';
import { COLUMN_GROUPS, type ColumnGroup } from './table-columns.ts';

export interface OverviewTableOptions {
  readonly caption: string;
  readonly rows: readonly OverviewRow[];
  readonly sort: Sort;
  /** Names of the rows whose explanation is open, `host type`. */
  readonly open: ReadonlySet<string>;
  /** Where a row leads: the host's page with that type chosen. */
  link(row: OverviewRow): string;
  sortBy(column: ColumnId): void;
  toggle(name: string): void;
}

const COLUMN_COUNT = COLUMN_GROUPS.reduce((sum, { columns }) => sum + columns.length, 0) + 1;

/** Roles are written out because a narrow screen lays rows out as cards, which would undo the table's own. */
export function overviewTable(options: OverviewTableOptions): HTMLElement {
  const scale = spreadScale(options.rows.map(({ spread }) => spread));
  const body = element('tbody', { role: 'rowgroup' });
  for (const row of options.rows) {
    const name = rowName(row);
    const open = options.open.has(name);
    body.append(tableRow(row, name, open, scale, options));
    if (open) body.append(rowDetail(row, COLUMN_COUNT, detailId(row)));
  }
  const table = element(
    'table',
    { class: 'overview', role: 'table' },
    element('caption', { class: 'spoken' }, options.caption),
    tableHead(options),
    body,
  );
  return element(
    'div',
    {
      class: 'table-box',
      tabindex: 0,
      role: 'region',
      'aria-label': options.caption,
      'data-scroll': 'overview',
      'data-focus': 'table',
    },
    table,
  );
}

function tableHead({ sort, sortBy }: OverviewTableOptions): HTMLElement {
  const top = element('tr', { role: 'row' });
  const bottom = element('tr', { role: 'row' });
  for (const group of COLUMN_GROUPS) {
    if (group.columns.length === 1) {
      for (const column of group.columns) top.append(sortHeader(group, column, sort, sortBy));
      continue;
    }
    // The picture of the distribution belongs to the total and has nothing to sort by.
    const span = group.columns.length + (isTotal(group) ? 1 : 0);
    top.append(
      element(
        'th',
        {
          class: `group${isTotal(group) ? ' total' : ''}`,
          colspan: span,
          scope: 'colgroup',
          role: 'columnheader',
          'data-tip': group.tip,
        },
        group.label,
        group.basis === null ? null : element('span', { class: 'basis' }, group.basis),
      ),
    );
    for (const column of group.columns) bottom.append(sortHeader(group, column, sort, sortBy));
    if (isTotal(group)) bottom.append(element('th', { class: 'number', scope: 'col', role: 'columnheader' }, 'spread'));
  }
  return element('thead', { role: 'rowgroup' }, top, bottom);
}

function sortHeader(
  group: ColumnGroup,
  column: ColumnGroup['columns'][number],
  sort: Sort,
  sortBy: (column: ColumnId) => void,
): HTMLElement {
  const alone = group.columns.length === 1;
  const sorted = sort.column === column.id ? (sort.descending ? 'descending' : 'ascending') : null;
  const text = ['host', 'type', 'verdict'].includes(column.id);
  return element(
    'th',
    {
      class: `${text ? 'text' : 'number'} column-${column.id.replace('.', '-')}`,
      scope: 'col',
      role: 'columnheader',
      rowspan: alone ? 2 : 1,
      'aria-sort': sorted,
      'data-tip': alone ? group.tip : null,
    },
    button(
      { class: 'sort', 'data-focus': `sort ${column.id}` },
      () => sortBy(column.id),
      alone ? null : spoken(`${group.label} ${group.basis ?? ''} `),
      column.label,
      element(
        'span',
        { class: 'arrow', 'aria-hidden': 'true' },
        sorted === null ? '' : sorted === 'descending' ? '↓' : '↑',
      ),
    ),
  );
}

function tableRow(
  row: OverviewRow,
  name: string,
  open: boolean,
  scale: SpreadScale,
  { link, toggle }: OverviewTableOptions,
): HTMLElement {
  const cell = (className: string, label: string, ...children: Child[]) =>
    element('td', { class: className, role: 'cell', 'data-label': label }, ...children);
  const more = button(
    {
      class: 'more',
      'aria-expanded': String(open),
      'aria-controls': open ? detailId(row) : null,
      'aria-label': `Explain ${name}`,
      'data-focus': `more ${name}`,
    },
    () => toggle(name),
    element('span', { class: 'chevron', 'aria-hidden': 'true' }),
  );
  return element(
    'tr',
    { class: `row${open ? ' open' : ''}`, role: 'row' },
    element(
      'th',
      { class: 'host', scope: 'row', role: 'rowheader' },
      element(
        'span',
        { class: 'host-box' },
        more,
        element('a', { href: link(row), 'data-route': true, 'data-focus': `host ${name}`, title: row.host }, row.host),
      ),
    ),
    cell('type', '', row.type),
    cell('verdict-cell', 'Verdict', verdictBadge(row.verdict.verdict)),
    cell(
      'number waited',
      'Of all waiting',
      row.waited === null ? unknownMark('nothing usable') : formatShare(row.waited),
    ),
    ...pairCells(row.ttlb, 'To last byte', 'total'),
    cell('spread-cell', 'Spread', row.spread === null ? '' : spreadPicture(row.spread, scale)),
    cell(
      'number',
      'Gap',
      row.gap === null ? unknownMark('no median and average to compare') : formatDifference(row.gap),
    ),
    ...PHASES.flatMap((phase) => pairCells(row.phases[phase], PHASE_LABELS[phase], 'minor')),
    ...pairCells(row.setupConnection, 'Set-up per connection'),
    ...pairCells(row.setupRequest, 'Set-up per request'),
    cell(
      'number reuse',
      'Reused',
      element(
        'span',
        { class: 'stack' },
        row.reused === null ? unknownMark('no request went over the network') : formatShare(row.reused),
        connectionBar(row.connections),
      ),
    ),
    cell('number', 'Samples', element('span', { class: 'stack' }, formatCount(row.samples), usableBar(row))),
    cell(
      'number',
      'Browsers',
      row.browsers === null ? unknownMark('this collector cannot tell') : formatCount(row.browsers),
    ),
  );
}

function usableBar(row: OverviewRow): HTMLElement {
  const { usableShare, text } = row.evidence;
  const filled = element('span', { class: 'usable-part', 'aria-hidden': 'true' });
  filled.style.width = `${(usableShare ?? 0) * 100}%`;
  return element('span', { class: 'usable', 'data-tip': text }, filled, spoken(text));
}

function isTotal(group: ColumnGroup): boolean {
  return group.columns.some(({ id }) => id === 'ttlb.median');
}

function rowName(row: OverviewRow): string {
  return `${row.host} ${row.type}`;
}

function detailId(row: OverviewRow): string {
  return `detail-${row.key}`;
}
