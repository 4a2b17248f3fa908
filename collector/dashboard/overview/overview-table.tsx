import { useMemo, useState } from 'preact/hooks';
import type { Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { TableTools } from '../components/table-tools.tsx';
import { rowDimensions } from '../model/groupings.ts';
import { overviewRows, totalWait } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import { type TableLine, tableLines } from '../model/table-lines.ts';
import { valueLabel } from '../model/value-label.ts';
import { withOwn } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { overviewDocument } from './overview-document.ts';
import { spreadScale } from './spread-picture.tsx';
import { TableLegend } from './table-legend.tsx';
import { TableRows } from './table-rows.tsx';
import { AGAINST, againstOf, useChanges } from './use-changes.ts';
import { type GroupCells, useFolds } from './use-folds.ts';

interface OverviewTableProps {
  readonly cells: readonly SummaryCell[];
  /** The groups of an overview; the types of one host have none. */
  readonly groups?: GroupCells;
  readonly title: string;
  readonly caption: string;
  /** Filters for the comparison, instead of the view's own. */
  readonly filters: Filters;
}

/** The table of hosts and types with heading, comparison, copy and CSV, legend, and the changes once they are known. */
export function OverviewTable({ cells, groups, title, caption, filters }: OverviewTableProps) {
  const { state } = usePage();
  const { sort } = state;
  const names = useAppNames();
  const [drawn, setDrawn] = useState(false);
  const shape = groups?.grouping ?? 'types';
  const total = useMemo(() => totalWait(groups?.cells ?? cells), [groups, cells]);
  const folds = useFolds(groups);
  const groupChanges = useChanges({
    by: [shape === 'types' ? 'host' : shape],
    filters,
    wanted: drawn && groups !== undefined,
  });
  const rowChanges = useChanges({
    by: shape === 'types' ? ['host', 'type'] : rowDimensions(shape),
    filters,
    wanted: drawn && folds.anyOpen,
  });
  const rows = useMemo(() => overviewRows(cells, rowChanges, total), [cells, rowChanges, total]);
  const groupRows = useMemo(
    () =>
      groups === undefined
        ? []
        : overviewRows(groups.cells, groupChanges, total).map((row) => ({
            ...row,
            // Sorted and copied by what people call it.
            host: valueLabel(groups.grouping, row.cell[groups.grouping], names),
          })),
    [groups, groupChanges, total, names],
  );
  const { isOpen, isWhole, version } = folds;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` counts the changes that isOpen and isWhole read
  const lines = useMemo(
    () =>
      groups === undefined
        ? sortRows(rows, sort).map((row): TableLine => ({ kind: 'row', row }))
        : tableLines({ grouping: groups.grouping, groups: groupRows, rows, sort, isOpen, isWhole }),
    [groups, groupRows, rows, sort, version, state.own.open],
  );
  const scale = useMemo(
    () => spreadScale([...cells, ...(groups?.cells ?? [])].map(({ phases }) => phases.ttlb)),
    [cells, groups],
  );
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{title}</h2>
        <div class="panel-tools">
          {groups === undefined || groups.cells.length < 2 ? null : <ExpandAll reset={folds.reset} />}
          <AgainstControl />
          <TableTools
            name={groups === undefined ? 'types' : 'overview'}
            table={() =>
              overviewDocument(
                title,
                sortRows(rows, sort),
                groups === undefined ? null : { ...groups, names, rows: sortRows(groupRows, sort) },
              )
            }
          />
        </div>
        <TableLegend />
      </div>
      <TableRows
        lines={lines}
        scale={scale}
        caption={caption}
        shape={shape}
        names={names}
        toggle={folds.toggle}
        showAll={folds.showAll}
        note={setDrawn}
      />
    </section>
  );
}

function ExpandAll({ reset }: { reset(): void }) {
  const { state, navigate } = usePage();
  const all = state.own.open === 'all';
  return (
    <button
      type="button"
      class="plain"
      onClick={() => {
        reset();
        navigate(withOwn(state, { open: all ? '' : 'all' }));
      }}
    >
      {all ? t.overview.group.closeAll : t.overview.group.openAll}
    </button>
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
