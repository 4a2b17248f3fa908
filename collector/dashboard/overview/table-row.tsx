// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import { useId, useState } from 'preact/hooks';
import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import { usePage } from '../app/page-context.ts';
import { memo } from '../components/memo.ts';
import { RouteLink } from '../components/route-link.tsx';
import type { OverviewRow } from '../model/overview-row.ts';
import { valueLabel } from '../model/value-label.ts';
import { toView } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { Cell, RowCells, type RowCellsProps } from './row-cells.tsx';
import { RowDetail } from './row-detail.tsx';
import { hasTypeColumn, type TableShape } from './table-columns.ts';

/** Names of the rows whose detail is open; kept until the page is reloaded. */
const opened = new Set<string>();

interface TableRowProps extends RowCellsProps {
  readonly shape: TableShape;
  readonly columnCount: number;
}

/** A host and type, and its detail if that is open. Roles are explicit: a narrow screen lays rows out as cards. */
export const TableRow = memo(function TableRow({ row, scale, folded, shape, columnCount }: TableRowProps) {
  const { name } = row;
  const [open, setOpen] = useState(() => opened.has(name));
  const detailId = useId();
  const toggle = () => {
    if (open) opened.delete(name);
    else opened.add(name);
    setOpen(!open);
  };
  const type = valueLabel('type', row.type, null);
  return (
    <>
      <tr class={`row${shape === 'types' ? '' : ' member'}${open ? ' open' : ''}`} role="row" data-row={name}>
        <th class="host" scope="row" role="rowheader">
          <span class="host-box">
            <button
              type="button"
              class="more"
              aria-expanded={open}
              aria-controls={open ? detailId : undefined}
              aria-label={t.overview.row.explain(`${row.host} ${type}`)}
              onClick={toggle}
            >
              <span class="chevron" aria-hidden="true" />
            </button>
            <HostLink
              row={row}
              text={shape === 'types' || shape === 'host' ? type : valueLabel('host', row.host, null)}
            />
          </span>
        </th>
        {hasTypeColumn(shape) ? <Cell class="type">{type}</Cell> : null}
        <RowCells row={row} scale={scale} folded={folded} />
      </tr>
      {open ? <RowDetail row={row} columnCount={columnCount} id={detailId} /> : null}
    </>
  );
});

/** To the host's page with that type selected. */
function HostLink({ row, text }: { readonly row: OverviewRow; readonly text: string }) {
  const { state } = usePage();
  if (isFewBrowsers(row)) return <span title={t.overview.row.fewBrowsers}>{text}</span>;
  return (
    <RouteLink to={toView(state, 'host', { page: row.host, kind: row.type })} title={row.host}>
      {text}
    </RouteLink>
  );
}
