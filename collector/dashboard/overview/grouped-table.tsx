import { useMemo, useState } from 'preact/hooks';
import type { SummaryCell, SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { Panel } from '../components/panel.tsx';
import { TableChoice } from '../components/select.tsx';
import { GROUPINGS, type Grouping, rowDimensions, toGrouping } from '../model/groupings.ts';
import { overviewRows, totalWait } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import { tableLines } from '../model/table-lines.ts';
import { groupLabel } from '../model/value-label.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { withOwn } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { groupRows } from './group-rows.ts';
import { overviewDocument } from './overview-document.ts';
import { spreadScale } from './spread-picture.tsx';
import { TableRows } from './table-rows.tsx';
import { TableSection } from './table-section.tsx';
import { useChanges } from './use-changes.ts';
import { useFolds } from './use-folds.ts';

interface GroupedTableProps {
  readonly grouping: Grouping;
  readonly groups: readonly SummaryCell[];
  /** The hosts and types of the groups; null if they were not read with them. */
  readonly members: readonly SummaryCell[] | null;
}

const NO_FILTERS = {};
const NO_CELLS: readonly SummaryCell[] = [];

/** The groups of the overview, and below an open one its hosts and types. */
export function GroupedTable({ grouping, groups, members }: GroupedTableProps) {
  const page = usePage();
  const { state } = page;
  const { sort } = state;
  const names = useAppNames();
  const [drawn, setDrawn] = useState(false);
  const folds = useFolds(grouping, groups);
  const query = groupRows(page, grouping);
  const { state: read } = useQuery<SummaryDocument>({ ...query, waits: members !== null || !folds.anyOpen });
  const cells = members ?? read.last?.value.cells ?? null;

  const groupChanges = useChanges({ by: [grouping], filters: NO_FILTERS, wanted: drawn });
  const rowChanges = useChanges({
    by: rowDimensions(grouping),
    filters: NO_FILTERS,
    wanted: drawn && cells !== null && folds.anyOpen,
  });
  const total = useMemo(() => totalWait(groups), [groups]);
  const rows = useMemo(
    () => (cells === null ? null : overviewRows(cells, rowChanges, total)),
    [cells, rowChanges, total],
  );
  const rowsOfGroups = useMemo(
    () =>
      overviewRows(groups, groupChanges, total).map((row) => ({
        ...row,
        // Sorted and copied by what people call it.
        host: groupLabel(grouping, row.cell, names),
      })),
    [grouping, groups, groupChanges, total, names],
  );
  const { isOpen, isWhole, version } = folds;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` counts the changes that isOpen and isWhole read
  const lines = useMemo(
    () => tableLines({ grouping, groups: rowsOfGroups, rows, sort, isOpen, isWhole }),
    [grouping, rowsOfGroups, rows, sort, version, state.own.open],
  );
  const scale = useMemo(
    () => spreadScale([...groups, ...(cells ?? NO_CELLS)].map(({ phases }) => phases.ttlb)),
    [groups, cells],
  );
  const title = t.overview.tableTitle(t.dimensions[grouping]);
  /** Whether its group is open or not. */
  const everyRow = async () => {
    if (rows !== null) return rows;
    const { cells: unread } = await query.read(new AbortController().signal, () => {});
    return overviewRows(unread, rowChanges, total);
  };
  return (
    <TableSection
      title={title}
      name="overview"
      table={async () =>
        overviewDocument(title, sortRows(await everyRow(), sort), {
          grouping,
          names,
          rows: sortRows(rowsOfGroups, sort),
        })
      }
      control={
        <>
          {groups.length < 2 ? null : <ExpandAll reset={folds.reset} />}
          <GroupControl />
        </>
      }
    >
      <TableRows
        lines={lines}
        scale={scale}
        caption={t.overview.tableCaption(t.dimensions[grouping])}
        shape={grouping}
        names={names}
        toggle={folds.toggle}
        showAll={folds.showAll}
        note={setDrawn}
        pending={
          <Panel<SummaryDocument> name={t.overview.group.rows} shape="chart" query={query}>
            {nothing}
          </Panel>
        }
      />
    </TableSection>
  );
}

/** Its rows replace the panel. */
function nothing(): null {
  return null;
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

function GroupControl() {
  const { state, navigate } = usePage();
  return (
    <TableChoice
      id="group"
      label={t.overview.group.by}
      value={toGrouping(state)}
      options={GROUPINGS.map((name) => [name, t.dimensions[name]])}
      choose={(value) => navigate(withOwn(state, { group: value === GROUPINGS[0] ? '' : value }))}
    />
  );
}
