import { existsSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/retention-of.ts';
import { bucketOf, bucketStart, DAY_MS, LEVELS, type Level } from '../rollup/time-buckets.ts';
import type { StoreUpkeep } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { isIntact, type StoredBlob } from './intact.ts';
import type { JobRunner } from './job-runner.ts';
import { STEP_SAMPLES } from './roll-up-pending.ts';
import type { StoreWrites } from './store-writes.ts';
import { translating } from './translate-error.ts';

/** Batches older than this need no memory: their samples would be refused as too old (7 days), and a day to spare. */
const BATCH_ID_DAYS = 8;
/** Given back to the file system at a time, so that no write waits long; databases differ in what a page is. */
const VACUUM_BYTES = 2 ** 23;

export interface SqliteUpkeep extends StoreUpkeep {
  /** One step of `rollUp`; resolves to the samples it covered, 0 where none was waiting. */
  rollUpStep(): Promise<number>;
}

/** @param writer writes what `jobs` compute, in turn with the samples that arrive */
export function createUpkeep(
  database: Database,
  { jobs, writer }: { readonly jobs: JobRunner; readonly writer: JobRunner },
  clock: () => number,
): SqliteUpkeep {
  const stale = database
    .prepare<[number], number>('SELECT bucket FROM bucket WHERE level = ? AND stale_since IS NOT NULL ORDER BY bucket')
    .pluck();
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: each step computes from what the one before it wrote. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  }

  /** Computes and writes; null where there was nothing to do. */
  async function apply(compute: () => Promise<StoreWrites | null>): Promise<StoreWrites | null> {
    for (;;) {
      const writes = await compute();
      if (writes === null) return null;
      let written = false;
      try {
        written = await writer.run('apply', [writes, clock()]);
      } finally {
        if (!written) await jobs.run('startOver', []);
      }
      // Refused only if another process changed the store in between: compute anew.
      if (written) return writes;
    }
  }

  const rollUpStep = async () => (await apply(() => jobs.run('rollUpPending', [])))?.coveredSamples ?? 0;

  /** What is there now. Until nothing is left, it would never end where samples come all the time, each step packing the hour anew. */
  async function rollUp(): Promise<void> {
    while ((await rollUpStep()) >= STEP_SAMPLES);
  }

  async function sealDay(day: number): Promise<void> {
    await apply(() => jobs.run('compactDay', [day]));
    await apply(() => jobs.run('sealDay', [day]));
  }

  async function seal(now: number): Promise<void> {
    await rollUp();
    const over = (level: 'day' | 'month') =>
      translating(() => stale.all(LEVELS[level])).filter((bucket) => bucketStart(level, bucket + 1) <= now);
    for (const day of over('day')) await sealDay(day);
    const open = new Set(translating(() => stale.all(LEVELS.day)).map((day) => bucketOf('month', day * DAY_MS)));
    for (const month of over('month')) if (!open.has(month)) await apply(() => jobs.run('sealMonth', [month]));
  }

  function daysWithSamples(): number[] {
    const hours = database.prepare<[number], number>('SELECT bucket FROM bucket WHERE level = ? AND n > 0').pluck();
    const { samplesFrom } = database
      .prepare<[], { samplesFrom: number }>('SELECT samples_from AS samplesFrom FROM state')
      .get() ?? { samplesFrom: 0 };
    const days = hours.all(LEVELS.hour).map((hour) => bucketOf('day', bucketStart('hour', hour)));
    return [...new Set(days)].filter((day) => day * DAY_MS >= samplesFrom).sort((a, b) => a - b);
  }

  return {
    rollUp: () => inTurn(rollUp),
    rollUpStep: () => inTurn(rollUpStep),
    seal: (now) => inTurn(() => seal(now)),
    prune: (now, retention) => inTurn(async () => translating(() => prune(database, now, retention))),
    erase: (client) =>
      inTurn(async () => {
        await rollUp();
        let samples = 0;
        let days = 0;
        for (const day of translating(daysWithSamples)) {
          const writes = await apply(() => jobs.run('eraseFromDay', [client, day]));
          if (writes === null) continue;
          samples += writes.removedSamples;
          days++;
          if (bucketStart('day', day + 1) <= clock()) await sealDay(day);
        }
        // Rollups older than the samples still count this browser, but no longer say which it was.
        translating(() =>
          database
            .prepare(`UPDATE word SET text = '(erased ' || id || ')' WHERE kind = 'client' AND text = ?`)
            .run(client),
        );
        translating(() => {
          database.prepare('DELETE FROM browser WHERE client = ?').run(client);
          database.prepare('DELETE FROM probe_turn WHERE client = ?').run(client);
        });
        return { samples, days };
      }),
    async keptFrom() {
      const state = database.prepare<[], number>('SELECT samples_from FROM state').pluck();
      return translating(() => state.get()) ?? 0;
    },
    async backup(file) {
      if (existsSync(file)) {
        throw new StoreError('data_folder_unusable', `${file} exists already`, 'Name a file that does not exist yet.');
      }
      // In one snapshot: a copy that begins one with every hundred pages begins anew whenever somebody has written.
      const source = new Sqlite(database.name, { readonly: true });
      try {
        source.exec('BEGIN');
        source.prepare('SELECT step FROM state').get();
        await source.backup(file);
      } finally {
        source.close();
      }
    },
    check: () =>
      inTurn(async () => {
        const integrity = translating(() => database.pragma('integrity_check') as { integrity_check: string }[]);
        const faults = integrity.map((row) => row.integrity_check).filter((line) => line !== 'ok');
        if (faults.length === 0) faults.push(...translating(() => damagedBlobs(database)));
        if (faults.length > 0) return faults;
        await rollUp();
        for (const day of translating(daysWithSamples)) faults.push(...(await jobs.run('checkDay', [day])));
        return faults;
      }),
    async sizes() {
      return translating(() => sizesOf(database));
    },
  };
}

/** What is not what was written, in words. Rollups past the age of their samples can be held against nothing else. */
function damagedBlobs(database: Database): string[] {
  const names = Object.entries(LEVELS).map(([name, level]) => [level, name as Level] as const);
  const levels = new Map<number, Level>(names);
  const packs = database.prepare<[], StoredBlob & { level: number; bucket: number }>(
    'SELECT level, bucket, bytes, crc FROM pack',
  );
  const chunks = database.prepare<[], StoredBlob & { t0: number }>('SELECT t0, bytes, crc FROM chunk');
  const faults = new Set<string>();
  for (const { level, bucket, ...blob } of packs.iterate()) {
    const name = levels.get(level);
    if (name === undefined || isIntact(blob)) continue;
    faults.add(`the ${name} rollup from ${new Date(bucketStart(name, bucket)).toISOString()} is damaged`);
  }
  for (const { t0, ...blob } of chunks.iterate()) {
    if (!isIntact(blob)) faults.add(`samples from ${new Date(t0).toISOString()} on are damaged`);
  }
  return [...faults];
}

function prune(database: Database, now: number, retention: Retention): void {
  const before = (level: Level, days: number) => bucketOf(level, now - days * DAY_MS);
  const samplesFrom = before('day', retention.sampleDays) * DAY_MS;
  const dropPacks = database.prepare('DELETE FROM pack WHERE level = ? AND bucket < ?');
  const dropBuckets = database.prepare('DELETE FROM bucket WHERE level = ? AND bucket < ? AND stale_since IS NULL');
  database
    .transaction(() => {
      const gone = database.prepare('DELETE FROM chunk WHERE t1 < ?').run(samplesFrom);
      database.prepare('UPDATE state SET step = step + 1, samples_from = max(samples_from, ?)').run(samplesFrom);
      database.prepare('DELETE FROM pending WHERE chunk NOT IN (SELECT id FROM chunk)').run();
      if (gone.changes > 0) database.prepare('UPDATE state SET revision = revision + 1').run();
      database.prepare('DELETE FROM batch WHERE received_at < ?').run(now - BATCH_ID_DAYS * DAY_MS);
      database.prepare('DELETE FROM browser WHERE last_at < ?').run(samplesFrom);
      database.prepare('DELETE FROM probe_turn WHERE at < ?').run(samplesFrom);
      database.prepare('DELETE FROM not_kept WHERE day < ?').run(bucketOf('day', samplesFrom));
      dropPacks.run(LEVELS.exact, bucketOf('day', samplesFrom));
      for (const [level, days] of [
        ['hour', retention.hourDays],
        ['day', retention.dayDays],
        ['month', retention.monthDays],
      ] as const) {
        if (days === null) continue;
        dropPacks.run(LEVELS[level], before(level, days));
        dropBuckets.run(LEVELS[level], before(level, days));
      }
    })
    .immediate();
  database.pragma(`incremental_vacuum(${VACUUM_BYTES / pageBytesOf(database)})`);
}

function pageBytesOf(database: Database): number {
  return database.pragma('page_size', { simple: true }) as number;
}

function sizesOf(database: Database) {
  const packs = database
    .prepare<[number], number>('SELECT coalesce(sum(length(bytes)), 0) FROM pack WHERE level = ?')
    .pluck();
  const chunks = database.prepare<[], number>('SELECT coalesce(sum(length(bytes)), 0) FROM chunk').pluck();
  const used =
    (database.pragma('page_count', { simple: true }) as number) -
    (database.pragma('freelist_count', { simple: true }) as number);
  return {
    chunks: chunks.get() ?? 0,
    hour: packs.get(LEVELS.hour) ?? 0,
    day: packs.get(LEVELS.day) ?? 0,
    month: packs.get(LEVELS.month) ?? 0,
    exact: packs.get(LEVELS.exact) ?? 0,
    total: used * pageBytesOf(database),
  };
}
