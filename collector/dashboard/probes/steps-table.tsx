import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import { DataTable } from '../components/data-table.tsx';
import { DASH, formatMs } from '../text/format.ts';
import { PROBES } from '../text/probes.ts';
import { Sparkline } from './sparkline.tsx';

const text = PROBES.steps;

interface StepsTableProps {
  readonly steps: TableDocument;
  readonly trend: TableDocument | undefined;
  readonly starts: readonly number[];
}

/** Every step of every probe by site: availability, median against its threshold, and trend. */
export function StepsTable({ steps, trend, starts }: StepsTableProps) {
  const at = new Map(starts.map((start, i) => [start, i]));
  const lines = new Map<string, (number | null)[]>();
  for (const row of trend?.rows ?? []) {
    const id = idOf(row);
    const line = lines.get(id) ?? starts.map(() => null);
    lines.set(id, line);
    const index = at.get(Number(row.from));
    if (index !== undefined && typeof row.median === 'number') line[index] = row.median;
  }
  const table: TableDocument = {
    ...steps,
    title: text.title,
    columns: [...steps.columns.filter(({ name }) => name !== 'keepMeasuring'), column('trend', text.trend, 'text')],
    rows: steps.rows.map((row) => ({
      ...row,
      trend: (lines.get(idOf(row)) ?? []).map((value) => (value === null ? DASH : formatMs(value))).join(' '),
    })),
  };
  return (
    <DataTable
      name="steps"
      table={table}
      sortable
      cell={({ name }, row) => {
        const threshold = typeof row.threshold === 'number' ? row.threshold : null;
        if (name === 'trend') return <Sparkline values={lines.get(idOf(row)) ?? []} threshold={threshold} />;
        if (name !== 'threshold' || threshold === null) return undefined;
        return (
          <span class="threshold-cell">
            {formatMs(threshold)}
            <ThresholdBar median={typeof row.median === 'number' ? row.median : null} threshold={threshold} />
          </span>
        );
      }}
    />
  );
}

/** A median as a bar that is full at the threshold. */
function ThresholdBar({ median, threshold }: { readonly median: number | null; readonly threshold: number }) {
  const words = median === null ? text.notMeasured : text.ofThreshold(median, threshold);
  return (
    <span class="threshold" role="img" aria-label={words} data-tip={words}>
      <span
        class={`threshold-part${median !== null && median > threshold ? ' over' : ''}`}
        style={{ width: `${Math.min(100, ((median ?? 0) / threshold) * 100)}%` }}
      />
    </span>
  );
}

function idOf(row: TableDocument['rows'][number]): string {
  const { site = null, target = null, probe = null, address = null, template = null } = row;
  return JSON.stringify([site, target, probe, address, template]);
}
