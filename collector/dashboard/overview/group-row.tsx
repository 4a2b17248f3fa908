// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import { usePage } from '../app/page-context.ts';
import { memo } from '../components/memo.ts';
import { RouteLink } from '../components/route-link.tsx';
import type { Grouping } from '../model/groupings.ts';
import { type AppNames, groupLabel } from '../model/value-label.ts';
import { toView, withFilter } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { Cell, RowCells, type RowCellsProps } from './row-cells.tsx';
import { hasTypeColumn } from './table-columns.ts';

interface GroupRowProps extends RowCellsProps {
  readonly grouping: Grouping;
  readonly names: AppNames;
  /** Its rows are shown below. */
  readonly open: boolean;
  /** How many rows it has; null until they are read. */
  readonly size: number | null;
  toggle(group: string): void;
}

/** An app, or what else the table is grouped by, with the numbers of all its requests. */
export const GroupRow = memo(function GroupRow({
  row,
  grouping,
  names,
  scale,
  folded,
  open,
  size,
  toggle,
}: GroupRowProps) {
  const label = groupLabel(grouping, row.cell, names);
  return (
    <tr class="row group-row" role="row" data-group={row.name} data-row={row.name}>
      <th class="host" scope="row" role="rowheader">
        <span class="host-box">
          <button
            type="button"
            class="more"
            aria-expanded={open}
            aria-label={t.overview.group.toggle(label)}
            onClick={() => toggle(row.name)}
          >
            <span class="chevron" aria-hidden="true" />
          </button>
          <GroupLink row={row} grouping={grouping} label={label} />
          {size === null ? null : <span class="quiet small">{t.overview.group.size(size)}</span>}
        </span>
      </th>
      {hasTypeColumn(grouping) ? <Cell class="type">{null}</Cell> : null}
      <RowCells row={row} scale={scale} folded={folded} />
    </tr>
  );
});

/** To the host's page, or to this view with only this group. */
function GroupLink({ row, grouping, label }: Pick<GroupRowProps, 'row' | 'grouping'> & { readonly label: string }) {
  const { state } = usePage();
  const value = row.cell[grouping] ?? '';
  if (isFewBrowsers(row.cell)) return <span title={t.overview.row.fewBrowsers}>{label}</span>;
  if (value === '' || state.filters[grouping]?.join() === value) return <span class="group-name">{label}</span>;
  const to = grouping === 'host' ? toView(state, 'host', { page: value }) : withFilter(state, grouping, [value]);
  return (
    <RouteLink to={to} title={label}>
      {label}
    </RouteLink>
  );
}
