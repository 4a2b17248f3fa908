import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { BucketRollup } from '../rollups/bucket-rollup.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { rollUp } from '../rollups/rollup-builder.ts';

/** The hours from `first` up to `end` made anew from samples; hours without any are not there. */
export function rebuildHours(
  chunks: Iterable<SampleColumns>,
  first: number,
  end: number,
  catalog: CellCatalog,
): Map<number, BucketRollup> {
  const hours = new Map<number, BucketRollup>();
  const hourAt = (hour: number): BucketRollup | null => {
    if (hour < first || hour >= end) return null;
    const open = hours.get(hour) ?? new BucketRollup();
    hours.set(hour, open);
    return open;
  };
  for (const columns of chunks) rollUp(columns, catalog, hourAt);
  return hours;
}
