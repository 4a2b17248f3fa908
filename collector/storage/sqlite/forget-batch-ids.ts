import type { Database } from 'better-sqlite3';
import { DAY_MS } from '../rollups/resolutions.ts';

/** Batches older than this need no memory: their samples would be refused as too old (7 days), and a day to spare. */
const BATCH_ID_DAYS = 8;
/** Ids that are looked at in one go, about 20 pages of them. */
export const IDS_A_SLICE = 10_000;

/**
 * Forgets the old ones of the ids behind `after`, null for the first; returns how far it got, null where it was the last.
 * `now` is epoch ms, of a clock that is believed.
 */
export type ForgetBatchIds = (now: number, after: Uint8Array | null) => Uint8Array | null;

/**
 * There may be many millions of ids, and none can be found by its time of receipt: an index would cost every batch a page of
 * the log. So all are looked at in their order, a slice at a time, and samples are taken in between.
 */
export function createForgetBatchIds(database: Database): ForgetBatchIds {
  const endOfSlice = database
    .prepare<[Uint8Array], Buffer>(`SELECT id FROM batch WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${IDS_A_SLICE - 1}`)
    .pluck();
  const forgetUpTo = database.prepare('DELETE FROM batch WHERE id > ? AND id <= ? AND received_at < ?');
  const forgetRest = database.prepare('DELETE FROM batch WHERE id > ? AND received_at < ?');

  return (now, after) => {
    const from = after ?? new Uint8Array(0);
    const before = now - BATCH_ID_DAYS * DAY_MS;
    const end = endOfSlice.get(from);
    if (end === undefined) forgetRest.run(from, before);
    else forgetUpTo.run(from, end, before);
    return end ?? null;
  };
}
