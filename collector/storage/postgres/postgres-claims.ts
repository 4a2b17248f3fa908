import type { BatchClaims } from '../batch-claims.ts';
import type { RunQuery } from './connection-pool.ts';

/** A batch is refused after a week; a collector that could not forward may have waited for longer. */
const KEPT_DAYS = 31;
/** Claims per statement: those of an hour may be more than can be removed within a query's timeout. */
const CLAIMS_A_SLICE = 10_000;

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
    async forget(isStopped) {
      // Another collector may be removing the same ones.
      const slice = `
        DELETE FROM lastbyte.batch WHERE id IN (
          SELECT id FROM lastbyte.batch WHERE at < now() - interval '${KEPT_DAYS} days'
          ORDER BY at LIMIT ${CLAIMS_A_SLICE} FOR UPDATE SKIP LOCKED
        ) RETURNING 1`;
      while ((await query(slice)).length === CLAIMS_A_SLICE && isStopped?.() !== true);
    },
  };
}
