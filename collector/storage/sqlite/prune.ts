import type { Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/retention-of.ts';
import { bucketOf, DAY_MS, HOUR_MS, RESOLUTIONS } from '../rollups/resolutions.ts';
import { storedUntil } from './stored-until.ts';

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
