import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { bucketOf } from '../rollups/resolutions.ts';
import { type EncodedChunk, encodeChunk } from './encode-chunk.ts';
import { mergeColumns } from './merge-columns.ts';

/** A chunk for each day (UTC) that there are rows of, oldest first. */
export function encodeByDay(columns: SampleColumns): EncodedChunk[] {
  const at = columns.at();
  const rowsOf = new Map<number, number[]>();
  for (let row = 0; row < columns.n; row++) {
    const day = bucketOf('day', at[row] as number);
    const rows = rowsOf.get(day);
    if (rows === undefined) rowsOf.set(day, [row]);
    else rows.push(row);
  }
  return [...rowsOf]
    .sort(([one], [other]) => one - other)
    .map(([, rows]) => encodeChunk(mergeColumns([{ columns, rows: Int32Array.from(rows) }]), false));
}
