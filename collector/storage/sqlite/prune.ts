import type { Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/retention-of.ts';
import { bucketOf, bucketStart, DAY_MS, HOUR_MS, RESOLUTIONS } from '../rollups/resolutions.ts';

/** A browser's id is random and ends with its month; until then it may send again, and has to be known as the same. */
const CLIENT_ID_DAYS = 31;
/** Ids that one pass forgets, since the writer waits. */
const CLIENTS_A_PASS = 5_000;
/** What one pass takes of each level beyond the oldest that there is: a day's worth, of months one. */
const BUCKETS_A_PASS = { hour: DAY_MS / HOUR_MS, day: 1, month: 1 } as const;

/**
 * Removes what has expired in one transaction; ids of batches are forgotten elsewhere (forget-batch-ids.ts). However much has
 * expired, one pass takes only the oldest day of each kind: should the clock be wrong after all, there are hours to notice.
 *
 * @param now epoch ms, of a clock that is believed
 */
export function prune(database: Database, now: number, retention: Retention): void {
  const oldest = (sql: string) => database.prepare<[], number | null>(sql).pluck();
  const oldestBucket = database
    .prepare<[number], number | null>('SELECT min(bucket) FROM bucket WHERE level = ? AND stale_since IS NULL')
    .pluck();
  const dropPacks = database.prepare('DELETE FROM pack WHERE level = ? AND bucket < ?');
  const dropBuckets = database.prepare('DELETE FROM bucket WHERE level = ? AND bucket < ? AND stale_since IS NULL');
  const expired = bucketOf('day', now - retention.sampleDays * DAY_MS) * DAY_MS;
  /** The end of the day that holds the oldest, if all of that day has expired. */
  const dayOf = (time: number | null | undefined) =>
    typeof time === 'number' ? Math.min(expired, (bucketOf('day', time) + 1) * DAY_MS) : expired;

  database
    .transaction(() => {
      const from = dayOf(oldest('SELECT min(t1) FROM chunk').get());
      // Where nothing is, nothing was removed: a time that lies beyond would make later answers look incomplete.
      const samplesFrom = Math.min(from, storedUntil(database) ?? 0);
      const gone = database.prepare('DELETE FROM chunk WHERE t1 < ?').run(samplesFrom);
      database.prepare('DELETE FROM quarantine WHERE t1 < ?').run(samplesFrom);
      database.exec('DELETE FROM quarantine_erased WHERE NOT EXISTS (SELECT 1 FROM quarantine)');
      database.prepare('UPDATE state SET step = step + 1, samples_from = max(samples_from, ?)').run(samplesFrom);
      database.prepare('DELETE FROM pending WHERE chunk NOT IN (SELECT id FROM chunk)').run();
      if (gone.changes > 0) database.prepare('UPDATE state SET revision = revision + 1').run();
      database
        .prepare('DELETE FROM browser WHERE last_at < ?')
        .run(dayOf(oldest('SELECT min(last_at) FROM browser').get()));
      database
        .prepare('DELETE FROM probe_turn WHERE at < ?')
        .run(dayOf(oldest('SELECT min(at) FROM probe_turn').get()));
      database.prepare('DELETE FROM not_kept WHERE day < ?').run(bucketOf('day', samplesFrom));
      database
        .prepare('DELETE FROM client WHERE id IN (SELECT id FROM client WHERE last_day < ? ORDER BY last_day LIMIT ?)')
        .run(Math.min(bucketOf('day', samplesFrom), bucketOf('day', now) - CLIENT_ID_DAYS), CLIENTS_A_PASS);
      dropPacks.run(RESOLUTIONS.exact, bucketOf('day', samplesFrom));
      for (const [resolution, days] of [
        ['hour', retention.hourDays],
        ['day', retention.dayDays],
        ['month', retention.monthDays],
      ] as const) {
        if (days === null) continue;
        const until = bucketOf(resolution, now - days * DAY_MS);
        const first = oldestBucket.get(RESOLUTIONS[resolution]);
        const end = typeof first === 'number' ? Math.min(until, first + BUCKETS_A_PASS[resolution]) : until;
        dropPacks.run(RESOLUTIONS[resolution], end);
        dropBuckets.run(RESOLUTIONS[resolution], end);
      }
    })
    .immediate();
}

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

/** The end of the day (UTC) of the newest sample that is or was stored, epoch ms; null where nothing tells of any. */
export function storedUntil(database: Database): number | null {
  const newest = database.prepare<[], number | null>('SELECT max(t1) FROM chunk').pluck().get();
  const last = database
    .prepare<[number], number | null>('SELECT max(bucket) FROM bucket WHERE level = ? AND n > 0')
    .pluck();
  const ends = typeof newest === 'number' ? [newest + 1] : [];
  // A month ends long after its newest sample: coarser levels count where there are no finer ones.
  for (const resolution of ['hour', 'day', 'month'] as const) {
    const bucket = last.get(RESOLUTIONS[resolution]);
    if (typeof bucket !== 'number') continue;
    ends.push(bucketStart(resolution, bucket + 1));
    break;
  }
  return ends.length === 0 ? null : Math.ceil(Math.max(...ends) / DAY_MS) * DAY_MS;
}
