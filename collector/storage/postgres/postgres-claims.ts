import type { BatchClaims } from '../batch-claims.ts';
import type { RunQuery } from './connection-pool.ts';

/** A batch is refused after a week; a collector that could not forward may have waited for longer. */
const KEPT_DAYS = 31;

/** @param collector the id of this collector's data folder */
export function createBatchClaims(query: RunQuery, collector: string): BatchClaims {
  return {
    async claim(ids) {
      if (ids.length === 0) return [];
      // In order, so that two collectors with the same batches wait for each other at most once.
      await query(
        `INSERT INTO lastbyte.batch (id, collector) SELECT id, $2::uuid FROM unnest($1::uuid[]) AS one (id) ORDER BY id
         ON CONFLICT DO NOTHING`,
        [ids, collector],
      );
      const others = await query<{ id: string }>(
        "SELECT replace(id::text, '-', '') AS id FROM lastbyte.batch WHERE id = ANY ($1::uuid[]) AND collector <> $2",
        [ids, collector],
      );
      return others.map(({ id }) => id);
    },
    async forget() {
      await query(`DELETE FROM lastbyte.batch WHERE at < now() - interval '${KEPT_DAYS} days'`);
    },
  };
}
