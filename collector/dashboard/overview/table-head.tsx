// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import { usePage } from '../app/page-context.ts';
import { Spoken } from '../components/spoken.tsx';
import { t } from '../text/t.ts';
import { type ColumnGroup, columnGroups, type FoldedColumns, isTextColumn, type TableShape } from './table-columns.ts';

/** Two lines of headings: groups, and below them median and average, each a button that sorts. */
export function TableHead({ shape, folded }: { readonly shape: TableShape; readonly folded: FoldedColumns }) {
  const groups = columnGroups(shape, folded);
  return (
    <thead role="rowgroup">
      <tr role="row" class="head-line">
        {groups.map((group) =>
          group.id === 'single' ? (
            <SortHeaders key={group.label} group={group} />
          ) : (
            <GroupHeader key={group.label + group.basis} group={group} />
          ),
        )}
      </tr>
      <tr role="row">
        {groups.map((group) =>
          group.id === 'single' ? null : <SortHeaders key={group.label + group.basis} group={group} />,
        )}
      </tr>
    </thead>
  );
}

function GroupHeader({ group: { id, label, basis, tip, columns } }: { readonly group: ColumnGroup }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it heads several columns
    <th
      class={`column-group column-group-${id}`}
      // The spread column belongs to the total and cannot be sorted by.
      colspan={columns.length + (id === 'total' ? 1 : 0)}
      scope="colgroup"
      role="columnheader"
      data-tip={tip}
    >
      {label}
      {basis === null ? null : <span class="basis">{basis}</span>}
    </th>
  );
}

function SortHeaders({ group }: { readonly group: ColumnGroup }) {
  const { state, navigate } = usePage();
  const { sort } = state;
  const alone = group.id === 'single';
  return (
    <>
      {group.columns.map(({ id, label }) => {
        const sorted = sort.column === id;
        const descending = sorted ? !sort.descending : !isTextColumn(id);
        return (
          <th
            key={id}
            class={`${isTextColumn(id) ? 'text' : 'number'} column-${id.replace('.', '-')}`}
            scope="col"
            role="columnheader"
            {...(alone ? { rowspan: 2, 'data-tip': group.tip } : {})}
            {...(sorted ? { 'aria-sort': sort.descending ? 'descending' : 'ascending' } : {})}
          >
            <button type="button" class="sort" onClick={() => navigate({ ...state, sort: { column: id, descending } })}>
              {alone ? null : <Spoken>{`${group.label} ${group.basis ?? ''} `}</Spoken>}
              {alone ? group.label : label}
              <span class="arrow" aria-hidden="true">
                {sorted ? (sort.descending ? '↓' : '↑') : ''}
              </span>
            </button>
          </th>
        );
      })}
      {group.id === 'total' ? (
        <th class="spread-head" scope="col" role="columnheader">
          {t.overview.columns.spread}
        </th>
      ) : null}
    </>
  );
}
