import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { BucketRollup } from '../rollup/bucket-rollup.ts';
import type { CellCatalog } from '../rollup/cell-catalog.ts';
import { rollUp } from '../rollup/rollup-builder.ts';
import { bucketOf } from '../rollup/time-buckets.ts';

/** The hours from `first` up to `end` made anew from samples; hours without any are not there. */
export function rebuildHours(
  chunks: Iterable<SampleColumns>,
  first: number,
  end: number,
  catalog: CellCatalog,
): Map<number, BucketRollup> {
  const hours = new Map<number, BucketRollup>();
  const within = (at: number) => {
    const hour = bucketOf('hour', at);
    return hour >= first && hour < end ? hour : null;
  };
  for (const columns of chunks) {
    rollUp(columns, catalog, within, (hour) => {
      const open = hours.get(hour) ?? new BucketRollup();
      hours.set(hour, open);
      return open;
    });
  }
  return hours;
}
