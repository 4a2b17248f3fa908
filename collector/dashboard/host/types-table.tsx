import { useMemo, useState } from 'preact/hooks';
import type { SummaryCell } from '../../analysis/summary/summary-document.ts';
import { usePage } from '../app/page-context.ts';
import { overviewRows } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import type { TableLine } from '../model/table-lines.ts';
import { overviewDocument } from '../overview/overview-document.ts';
import { spreadScale } from '../overview/spread-picture.tsx';
import { TableRows } from '../overview/table-rows.tsx';
import { TableSection } from '../overview/table-section.tsx';
import { useChanges } from '../overview/use-changes.ts';
import { HOST } from '../text/host.ts';

/** The types of one host, as the overview shows them. */
export function TypesTable({ host, cells }: { readonly host: string; readonly cells: readonly SummaryCell[] }) {
  const { sort } = usePage().state;
  const [drawn, setDrawn] = useState(false);
  const changes = useChanges({ by: ['host', 'type'], filters: { host: [host] }, wanted: drawn });
  const rows = useMemo(() => sortRows(overviewRows(cells, changes), sort), [cells, changes, sort]);
  const lines = useMemo(() => rows.map((row): TableLine => ({ kind: 'row', row })), [rows]);
  const scale = useMemo(() => spreadScale(cells.map(({ phases }) => phases.ttlb)), [cells]);
  return (
    <TableSection title={HOST.table} name="types" table={() => overviewDocument(HOST.table, rows, null)}>
      <TableRows lines={lines} scale={scale} caption={HOST.caption(host)} shape="types" note={setDrawn} />
    </TableSection>
  );
}
