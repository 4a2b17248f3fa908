import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import { formatMs } from '../../analysis/text/format.ts';
import { type DataTable, dataTable } from '../render/data-table.ts';
import { element } from '../render/element.ts';
import { thresholdBar, trendPicture } from './step-picture.ts';

/** Every step of every probe by site: availability, median against its threshold, and trend. */
export function stepsTable(
  steps: TableDocument,
  trend: TableDocument | undefined,
  starts: readonly number[],
  sorting: Pick<DataTable, 'sort' | 'sortBy'>,
): HTMLElement {
  const at = new Map(starts.map((start, i) => [start, i]));
  const lines = new Map<string, (number | null)[]>();
  for (const row of trend?.rows ?? []) {
    const id = idOf(row);
    const line = lines.get(id) ?? starts.map(() => null);
    lines.set(id, line);
    const index = at.get(Number(row.from));
    if (index !== undefined && typeof row.median === 'number') line[index] = row.median;
  }
  const trendColumn = column('trend', 'Trend', 'text');
  const table: TableDocument = {
    ...steps,
    title: 'Steps by site',
    columns: [...steps.columns.filter(({ name }) => name !== 'keepMeasuring'), trendColumn],
    rows: steps.rows.map((row) => ({
      ...row,
      trend: (lines.get(idOf(row)) ?? []).map((value) => (value === null ? '–' : formatMs(value))).join(' '),
    })),
  };
  return dataTable({
    name: 'steps',
    table,
    ...sorting,
    cell: ({ name }, row) => {
      const threshold = typeof row.threshold === 'number' ? row.threshold : null;
      if (name === 'trend') return trendPicture(lines.get(idOf(row)) ?? [], threshold);
      if (name === 'threshold' && threshold !== null) {
        const median = typeof row.median === 'number' ? row.median : null;
        return element('span', { class: 'threshold-cell' }, formatMs(threshold), thresholdBar(median, threshold));
      }
      return undefined;
    },
  });
}

function idOf(row: TableDocument['rows'][number]): string {
  const { site = null, target = null, probe = null, address = null, template = null } = row;
  return JSON.stringify([site, target, probe, address, template]);
}
