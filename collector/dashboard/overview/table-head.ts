import { button, element, spoken } from '../render/element.ts';
import type { ColumnId } from '../state/column-ids.ts';
import type { Sort } from '../state/view-state.ts';
import { type ColumnGroup, columnGroups, isTextColumn } from './table-columns.ts';

type SortBy = (column: ColumnId) => void;

/** Two lines of headings: groups, and below them median and average, each a button that sorts. */
export function tableHead(oneHost: boolean, sort: Sort, sortBy: SortBy): HTMLElement {
  const top = element('tr', { role: 'row', class: 'head-line' });
  const bottom = element('tr', { role: 'row' });
  for (const group of columnGroups(oneHost)) {
    if (group.id === 'single') {
      for (const column of group.columns) top.append(sortHeader(group, column, sort, sortBy));
      continue;
    }
    top.append(groupHeader(group));
    for (const column of group.columns) bottom.append(sortHeader(group, column, sort, sortBy));
    if (group.id === 'total') {
      bottom.append(element('th', { class: 'spread-head', scope: 'col', role: 'columnheader' }, 'spread'));
    }
  }
  return element('thead', { role: 'rowgroup' }, top, bottom);
}

function groupHeader(group: ColumnGroup): HTMLElement {
  return element(
    'th',
    {
      class: `column-group column-group-${group.id}`,
      // The spread column belongs to the total and cannot be sorted by.
      colspan: group.columns.length + (group.id === 'total' ? 1 : 0),
      scope: 'colgroup',
      role: 'columnheader',
      'data-tip': group.tip,
    },
    group.label,
    group.basis === null ? null : element('span', { class: 'basis' }, group.basis),
  );
}

function sortHeader(
  group: ColumnGroup,
  column: ColumnGroup['columns'][number],
  sort: Sort,
  sortBy: SortBy,
): HTMLElement {
  const alone = group.id === 'single';
  const sorted = sort.column === column.id ? (sort.descending ? 'descending' : 'ascending') : null;
  const arrow = sorted === null ? '' : sorted === 'descending' ? '↓' : '↑';
  return element(
    'th',
    {
      class: `${isTextColumn(column.id) ? 'text' : 'number'} column-${column.id.replace('.', '-')}`,
      scope: 'col',
      role: 'columnheader',
      rowspan: alone ? 2 : null,
      'aria-sort': sorted,
      'data-tip': alone ? group.tip : null,
    },
    button(
      { class: 'sort', 'data-focus': `sort ${column.id}` },
      () => sortBy(column.id),
      alone ? null : spoken(`${group.label} ${group.basis ?? ''} `),
      column.label,
      element('span', { class: 'arrow', 'aria-hidden': 'true' }, arrow),
    ),
  );
}
