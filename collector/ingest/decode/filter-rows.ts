import type { BatchColumns } from '../../storage/columns/batch-columns.ts';

/** The rows of a batch that `keeps` says yes to, in fresh columns. */
export function filterRows(columns: BatchColumns, keeps: (row: number) => boolean): BatchColumns {
  const keep = <T extends Float64Array | Int32Array>(column: T): T => column.filter((_, row) => keeps(row)) as T;
  const at = keep(columns.at);
  return {
    n: at.length,
    at,
    texts: columns.texts.map((text) => text && { ...text, codes: keep(text.codes) }),
    numbers: columns.numbers.map((column) => column && keep(column)),
    metrics: columns.metrics.map(([name, column]) => [name, keep(column)] as const),
  };
}
