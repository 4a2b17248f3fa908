// biome-ignore-all lint/a11y/noRedundantRoles: laid out as cards, a table loses its implicit roles
import { useContext, useEffect, useMemo, useRef } from 'preact/hooks';
import type { Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { StandIn, usePage } from '../app/page-context.ts';
import { useSideHints } from '../components/scroll-box.tsx';
import { TableTools } from '../components/table-tools.tsx';
import { type OverviewRow, overviewRows } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import { withOwn } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { overviewDocument } from './overview-document.ts';
import { type SpreadScale, spreadScale } from './spread-picture.tsx';
import { columnGroups } from './table-columns.ts';
import { TableHead } from './table-head.tsx';
import { TableLegend } from './table-legend.tsx';
import { TableRow } from './table-row.tsx';
import { AGAINST, againstOf, useChanges } from './use-changes.ts';
import { useProgressiveCount } from './use-progressive-count.ts';

/** Must match the style sheet, px. */
const ROW_HEIGHT = 37;

interface OverviewTableProps {
  readonly cells: readonly SummaryCell[];
  readonly title: string;
  readonly caption: string;
  /** All rows belong to one host: the type names the row. */
  readonly oneHost: boolean;
  /** Filters for the comparison, instead of the view's own. */
  readonly filters: Filters;
}

/** The hosts × types table with heading, comparison, copy and CSV, legend, and the changes once they are known. */
export function OverviewTable({ cells, title, caption, oneHost, filters }: OverviewTableProps) {
  const { sort } = usePage().state;
  const { changes, compare } = useChanges(filters);
  const rows = useMemo(() => overviewRows(cells, changes), [cells, changes]);
  const sorted = useMemo(() => sortRows(rows, sort), [rows, sort]);
  const scale = useMemo(() => spreadScale(cells.map(({ phases }) => phases.ttlb)), [cells]);
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{title}</h2>
        <div class="panel-tools">
          <AgainstControl />
          <TableTools name={oneHost ? 'types' : 'overview'} table={() => overviewDocument(sorted)} />
        </div>
        <TableLegend />
      </div>
      <Rows rows={sorted} scale={scale} caption={caption} oneHost={oneHost} complete={compare} />
    </section>
  );
}

function AgainstControl() {
  const { state, navigate } = usePage();
  return (
    <span class="against">
      <label for="against">{t.overview.against.label}</label>
      <select
        id="against"
        value={againstOf(state)}
        onChange={({ currentTarget: { value } }) =>
          navigate(withOwn(state, { against: value === 'before' ? '' : value }))
        }
      >
        {AGAINST.map((name) => (
          <option key={name} value={name}>
            {t.overview.against[name]}
          </option>
        ))}
      </select>
    </span>
  );
}

interface RowsProps {
  readonly rows: readonly OverviewRow[];
  readonly scale: SpreadScale;
  readonly caption: string;
  readonly oneHost: boolean;
  /** Called when every row is drawn. */
  complete(): void;
}

/** Scrolls in its own box. */
function Rows({ rows, scale, caption, oneHost, complete }: RowsProps) {
  const standIn = useContext(StandIn);
  const box = useRef<HTMLElement>(null);
  useSideHints(box);
  const count = useProgressiveCount(rows.length, {
    list: rows.map(({ name }) => name).join('\n'),
    first: () => firstRowCount(box.current, rows),
    paused: standIn,
  });
  const drawn = count === rows.length;
  useEffect(() => {
    if (drawn) complete();
  }, [drawn, complete]);
  // Starts at 1 for the spread column, which is in no group.
  const columnCount = columnGroups(oneHost).reduce((sum, { columns }) => sum + columns.length, 1);
  return (
    <section
      ref={box}
      class="table-box overview-box"
      tabindex={0}
      aria-label={caption}
      data-rows={rows.length}
      data-drawn={count}
    >
      <table class="overview" role="table">
        <caption class="spoken">{caption}</caption>
        <TableHead oneHost={oneHost} />
        <tbody role="rowgroup">
          {rows.slice(0, count).map((row) => (
            <TableRow key={row.name} row={row} oneHost={oneHost} scale={scale} columnCount={columnCount} />
          ))}
        </tbody>
      </table>
      {/* As tall as the rows that are not drawn yet. */}
      <div class="rows-to-come" hidden={drawn} style={{ '--rows-to-come': rows.length - count }} />
    </section>
  );
}

/** Enough rows for the screen, and for the scroll position and focus in the rows that they replace. */
function firstRowCount(box: HTMLElement | null, rows: readonly OverviewRow[]): number {
  const focused = box?.contains(document.activeElement)
    ? document.activeElement?.closest('tr')?.dataset.row
    : undefined;
  const seen = box === null ? 0 : seenRows(box);
  return Math.max(Math.ceil(window.innerHeight / ROW_HEIGHT), seen, rows.findIndex(({ name }) => name === focused) + 1);
}

/** Number of rows in sight or above. */
function seenRows(box: HTMLElement): number {
  const end = Math.min(window.innerHeight, box.getBoundingClientRect().bottom);
  const lines = box.querySelectorAll('tbody > .row');
  // A binary search, because each position is measured.
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const line = lines[middle];
    if (line !== undefined && line.getBoundingClientRect().top < end) low = middle + 1;
    else high = middle;
  }
  return low;
}
