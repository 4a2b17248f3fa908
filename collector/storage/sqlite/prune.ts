import type { Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/read-retention.ts';
import { bucketAt, bucketStart, DAY_MS, HOUR_MS, RESOLUTIONS } from '../rollups/resolutions.ts';

/** A browser's random id is valid for its month; until then it may send again and must be recognized. */
const CLIENT_ID_DAYS = 31;
/** Ids removed per pass, because the writer is blocked meanwhile. */
const CLIENTS_A_PASS = 5_000;
/** How many of the oldest buckets of each resolution one pass removes: a day's worth, or one month. */
const BUCKETS_A_PASS = { hour: DAY_MS / HOUR_MS, day: 1, month: 1 } as const;

/**
 * Removes expired data in one transaction; batch ids are removed separately. However much has expired, one pass removes only
 * the oldest day of each kind: if the clock is wrong after all, there are hours to notice.
 *
 * @param now epoch ms, of a trusted clock
 * @param areForwarded chunks wait for ClickHouse, which removes expired samples once it has them in its rollups
 */
export function prune(database: Database, now: number, retention: Retention, areForwarded = false): void {
  const oldest = (sql: string) => database.prepare<[], number | null>(sql).pluck();
  const oldestBucket = database
    .prepare<[number], number | null>('SELECT min(bucket) FROM bucket WHERE level = ? AND stale_since IS NULL')
    .pluck();
  const dropPacks = database.prepare('DELETE FROM pack WHERE level = ? AND bucket < ?');
  const dropBuckets = database.prepare('DELETE FROM bucket WHERE level = ? AND bucket < ? AND stale_since IS NULL');
  const expired = bucketAt('day', now - retention.sampleDays * DAY_MS) * DAY_MS;
  /** The end of the day that contains the oldest time, if all of that day has expired. */
  const dayOf = (time: number | null | undefined) =>
    typeof time === 'number' ? Math.min(expired, (bucketAt('day', time) + 1) * DAY_MS) : expired;

  database
    .transaction(() => {
      const from = dayOf(oldest('SELECT min(t1) FROM chunk').get());
      // Never beyond the stored data: later answers would look incomplete although nothing was removed.
      const samplesFrom = Math.min(from, storedUntil(database) ?? 0);
      const gone = database.prepare('DELETE FROM chunk WHERE t1 < ?').run(areForwarded ? 0 : samplesFrom);
      database.prepare('DELETE FROM quarantine WHERE t1 < ?').run(samplesFrom);
      database.exec('DELETE FROM quarantine_erased WHERE NOT EXISTS (SELECT 1 FROM quarantine)');
      database.prepare('UPDATE state SET step = step + 1, samples_from = max(samples_from, ?)').run(samplesFrom);
      // Those that are forwarded leave it by themselves, and after an outage there are many.
      if (!areForwarded) database.prepare('DELETE FROM pending WHERE chunk NOT IN (SELECT id FROM chunk)').run();
      if (gone.changes > 0) database.prepare('UPDATE state SET revision = revision + 1').run();
      database
        .prepare('DELETE FROM browser WHERE last_at < ?')
        .run(dayOf(oldest('SELECT min(last_at) FROM browser').get()));
      database
        .prepare('DELETE FROM probe_turn WHERE at < ?')
        .run(dayOf(oldest('SELECT min(at) FROM probe_turn').get()));
      database.prepare('DELETE FROM not_kept WHERE day < ?').run(bucketAt('day', samplesFrom));
      database
        .prepare('DELETE FROM client WHERE id IN (SELECT id FROM client WHERE last_day < ? ORDER BY last_day LIMIT ?)')
        .run(Math.min(bucketAt('day', samplesFrom), bucketAt('day', now) - CLIENT_ID_DAYS), CLIENTS_A_PASS);
      dropPacks.run(RESOLUTIONS.exact, bucketAt('day', samplesFrom));
      for (const [resolution, days] of [
        ['hour', retention.hourDays],
        ['day', retention.dayDays],
        ['month', retention.monthDays],
      ] as const) {
        if (days === null) continue;
        const until = bucketAt(resolution, now - days * DAY_MS);
        const first = oldestBucket.get(RESOLUTIONS[resolution]);
        const end = typeof first === 'number' ? Math.min(until, first + BUCKETS_A_PASS[resolution]) : until;
        dropPacks.run(RESOLUTIONS[resolution], end);
        dropBuckets.run(RESOLUTIONS[resolution], end);
      }
    })
    .immediate();
}

/** Older batch ids are not needed: their samples would be refused as too old (7 days), plus a day of margin. */
const BATCH_ID_DAYS = 8;
/** Ids per slice, about 20 pages. */
export const IDS_A_SLICE = 10_000;

/**
 * Removes old ids of the slice after `after` (null for the first); returns the end of the slice, null if it was the last.
 * `now` is epoch ms, of a trusted clock.
 */
export type ForgetBatchIds = (now: number, after: Uint8Array | null) => Uint8Array | null;

/**
 * There may be many millions of ids, without an index by time of receipt, which would cost every batch a page of the log. So
 * all are scanned in slices, with ingestion in between.
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

/** The end of the day (UTC) of the newest sample that is or was stored, epoch ms; null if there is no trace of any. */
function storedUntil(database: Database): number | null {
  const newest = database.prepare<[], number | null>('SELECT max(t1) FROM chunk').pluck().get();
  const last = database
    .prepare<[number], number | null>('SELECT max(bucket) FROM bucket WHERE level = ? AND n > 0')
    .pluck();
  const ends = typeof newest === 'number' ? [newest + 1] : [];
  // A month ends long after its newest sample, so coarser rollups are used only without finer ones.
  for (const resolution of ['hour', 'day', 'month'] as const) {
    const bucket = last.get(RESOLUTIONS[resolution]);
    if (typeof bucket !== 'number') continue;
    ends.push(bucketStart(resolution, bucket + 1));
    break;
  }
  return ends.length === 0 ? null : Math.ceil(Math.max(...ends) / DAY_MS) * DAY_MS;
}
