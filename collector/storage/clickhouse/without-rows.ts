import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { mergeColumns, type RowSelection } from '../columns/merge-columns.ts';
import type { BatchRows } from '../sqlite/outbox.ts';

/** The chunks of a block as one, without some rows; null if none is left. The same rows always give the same columns. */
export function withoutRows(
  chunks: readonly { readonly id: number; readonly bytes: Uint8Array }[],
  left: readonly BatchRows[],
): SampleColumns | null {
  const parts = chunks.flatMap(({ id, bytes }): RowSelection[] => {
    const columns = decodeChunk(bytes);
    const out = new Uint8Array(columns.n);
    for (const { chunk, first, n } of left) if (chunk === id) out.fill(1, first, first + n);
    const rows = Int32Array.from({ length: columns.n }, (_, row) => row).filter((row) => out[row] === 0);
    return rows.length === 0 ? [] : [{ columns, rows }];
  });
  return parts.length === 0 ? null : mergeColumns(parts);
}
