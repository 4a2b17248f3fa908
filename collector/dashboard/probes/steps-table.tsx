import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { DataTable } from '../components/data-table.tsx';
import { DASH, formatMs } from '../text/format.ts';
import { PROBES } from '../text/probes.ts';
import { t } from '../text/t.ts';

const text = PROBES.steps;

const WIDTH = 80;
const HEIGHT = 20;
const PAD = 3;

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
    columns: [
      ...steps.columns.filter(({ name }) => name !== 'keepMeasuring' && name !== 'reason'),
      column('trend', text.trend, 'text'),
    ],
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
        if (name === 'trend') return <Sparkline values={lines.get(idOf(row)) ?? []} />;
        // The reason stands in place of the time.
        if (name === 'users' && row.users === null) return wordFor(t.values.cells, String(row.reason));
        if (name !== 'threshold' || threshold === null) return undefined;
        return (
          <span class="threshold-cell">
            {formatMs(threshold)}
            <ThresholdBar median={typeof row.time === 'number' ? row.time : null} threshold={threshold} />
          </span>
        );
      }}
    />
  );
}

/** Medians of the requests with gaps where nothing was measured. The threshold is that of the whole step. */
function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  const words = known.length === 0 ? text.noTrend : text.trendOf(known[0] ?? 0, known.at(-1) ?? 0, values.length);
  const top = Math.max(...known, 1) * 1.05;
  // The axis does not start at 0, or every trend would be flat; the numbers are next to it.
  const bottom = Math.min(...known, top) * 0.8;
  const x = (i: number) => PAD + (i / Math.max(1, values.length - 1)) * (WIDTH - 2 * PAD);
  const y = (value: number) => HEIGHT - PAD - ((value - bottom) / (top - bottom || 1)) * (HEIGHT - 2 * PAD);
  const path = values
    .map((value, i) =>
      value === null ? '' : `${(values[i - 1] ?? null) === null ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('');
  return (
    <span class="trend" role="img" aria-label={words} data-tip={words}>
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path d={path} fill="none" stroke="var(--phase-wait)" stroke-width={1.6} />
      </svg>
    </span>
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
  const { site = null, target = null, probe = null, step = null, address = null, template = null } = row;
  return JSON.stringify([site, target, probe, step, address, template]);
}
