import { OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import type { OriginColumns } from '../columns/group-origins.ts';
import { encodeHotChunk } from '../columns/hot-chunk.ts';
import type { AcceptedBatch } from '../store.ts';
import type { BatchWrite, GroupWrite } from './append-group.ts';

/** As it is written: what there is to say of each batch, and the rows of all of them as one chunk. */
export function groupOf(batches: readonly AcceptedBatch[], latestNow: number | null = null): GroupWrite {
  const parts: OriginColumns[] = [];
  const batchOf: number[] = [];
  batches.forEach((batch, place) => {
    for (const part of partsOf(batch)) if (part.columns.n > 0) batchOf[parts.push(part) - 1] = place;
  });
  const partBytes = new Float64Array(parts.length);
  const chunk = parts.length === 0 ? null : encodeHotChunk(parts, partBytes);
  const textBytes = batches.map(() => 0);
  for (const [part, place] of batchOf.entries()) textBytes[place] = (textBytes[place] ?? 0) + (partBytes[part] ?? 0);
  return { batches: batches.map(withoutColumns), latestNow, chunk, textBytes };
}

/** A batch pays for the texts that it brings, so that those beside it in the chunk don't; the rest is shared by rows. */
export function storedBytesOf({ batches, chunk, textBytes }: GroupWrite): number[] {
  if (chunk === null) return batches.map(() => 0);
  const shared = chunk.bytes.length - textBytes.reduce((sum, bytes) => sum + bytes, 0);
  return batches.map(({ n }, place) => Math.ceil((textBytes[place] ?? 0) + (shared * n) / chunk.n));
}

/** Rows whose cell was folded follow the others of their batch. */
function partsOf(batch: AcceptedBatch): OriginColumns[] {
  const { key = null, columns, folded, sharesClient } = batch;
  const origin = sharesClient ? { ...batch.origin, client: OVERFLOW_NAME } : batch.origin;
  const own = { key, origin, columns };
  return folded ? [own, { key, origin: { ...origin, site: OVERFLOW_NAME }, columns: folded }] : [own];
}

/** Field by field: what is left of an object by `...rest` has a shape of its own, and a shape lives until everything is collected. */
function withoutColumns(batch: AcceptedBatch): BatchWrite {
  const { id, receivedAt, key = null, clockCorrection, origin, status = null, imported = false } = batch;
  const { sharesClient = false } = batch;
  const n = batch.columns.n + (batch.folded?.n ?? 0);
  return { id, receivedAt, key, clockCorrection, origin, status, imported, sharesClient, n };
}
