import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';

/**
 * The shortest run of rows that holds all rows inside one of the ranges; null where there are none. Merged chunks are
 * sorted by time, so an edge of a range costs no more than its own rows.
 */
export function sliceColumns(columns: SampleColumns, ranges: readonly TimeRange[]): SampleColumns | null {
  const at = columns.at();
  const inside = (row: number) => {
    const time = at[row] as number;
    for (const { from, to } of ranges) if (time >= from && time < to) return true;
    return false;
  };
  let first = 0;
  while (first < columns.n && !inside(first)) first++;
  if (first === columns.n) return null;
  let end = columns.n;
  while (!inside(end - 1)) end--;
  if (first === 0 && end === columns.n) return columns;
  return {
    n: end - first,
    at: () => at.subarray(first, end),
    origins: columns.origins,
    origin: () => columns.origin().subarray(first, end),
    text(name) {
      const { entries, codes } = columns.text(name);
      return { entries, codes: codes.subarray(first, end) };
    },
    number: (name) => columns.number(name).subarray(first, end),
    metricNames: columns.metricNames,
    metric: (name) => columns.metric(name).subarray(first, end),
  };
}
