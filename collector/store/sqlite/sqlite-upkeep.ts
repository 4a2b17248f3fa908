import { existsSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/retention-of.ts';
import { reasonOf } from '../fault-reason.ts';
import { bucketOf, bucketStart, DAY_MS, LEVELS, type Level } from '../rollup/time-buckets.ts';
import type { QuarantinedChunk, StoreUpkeep } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { createApply } from './apply-writes.ts';
import { createAroundFaults } from './around-faults.ts';
import { isIntact, type StoredBlob } from './intact.ts';
import type { JobRunner } from './job-runner.ts';
import { createQuarantine } from './quarantine.ts';
import { STEP_SAMPLES } from './roll-up-pending.ts';
import { translateError, translating } from './translate-error.ts';

/** Batches older than this need no memory: their samples would be refused as too old (7 days), and a day to spare. */
const BATCH_ID_DAYS = 8;
/** Given back to the file system at a time, so that no write waits long; databases differ in what a page is. */
const VACUUM_BYTES = 2 ** 23;

/** Told what failed; the rest of the work goes on. */
export type UpkeepFailed = (error: unknown) => void;

export interface SqliteUpkeep extends StoreUpkeep {
  /** One step of `rollUp`; resolves to the samples it covered, 0 where none was waiting. */
  rollUpStep(): Promise<number>;
  /** `seal` without its rollup, day by day: what fails with one of them is told, and the others are done. */
  sealEach(now: number, failed: UpkeepFailed): Promise<void>;
  /** Puts back what can be processed again, say after an upgrade. */
  releaseQuarantine(): Promise<void>;
}

/**
 * @param writer writes what `jobs` compute, in turn with the samples that arrive
 * @param tell told what was set aside, and what failed without ending the work
 */
export function createUpkeep(
  database: Database,
  { jobs, writer }: { readonly jobs: JobRunner; readonly writer: JobRunner },
  clock: () => number,
  tell: (error: StoreError) => void = () => {},
): SqliteUpkeep {
  const apply = createApply(jobs, writer, clock);
  const { rollUpStep, onDay } = createAroundFaults({ jobs, writer, apply, clock, setAside: tell });
  const quarantine = createQuarantine(database);
  const stale = database
    .prepare<[number], number>('SELECT bucket FROM bucket WHERE level = ? AND stale_since IS NOT NULL ORDER BY bucket')
    .pluck();
  const pendingSpans = database.prepare<[], { t0: number; t1: number }>(
    'SELECT t0, t1 FROM pending JOIN chunk ON chunk.id = pending.chunk',
  );
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: each step computes from what the one before it wrote. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  }

  /** What is there now. Until nothing is left, it would never end where samples come all the time, each step packing the hour anew. */
  async function rollUp(): Promise<void> {
    while ((await rollUpStep()) >= STEP_SAMPLES);
  }

  async function sealDay(day: number): Promise<void> {
    await onDay(day, async () => {
      await apply(() => jobs.run('compactDay', [day]));
      await apply(() => jobs.run('sealDay', [day]));
    });
  }

  async function sealEach(now: number, failed: UpkeepFailed): Promise<void> {
    const over = (level: 'day' | 'month') =>
      translating(() => stale.all(LEVELS[level])).filter((bucket) => bucketStart(level, bucket + 1) <= now);
    for (const day of over('day')) await sealDay(day).catch(failed);
    const open = new Set(translating(() => stale.all(LEVELS.day)).map((day) => bucketOf('month', day * DAY_MS)));
    for (const month of over('month')) {
      if (!open.has(month)) await apply(() => jobs.run('sealMonth', [month])).catch(failed);
    }
  }

  /** All of it, and then the first of what failed. */
  async function seal(now: number): Promise<void> {
    const failures: unknown[] = [];
    const failed: UpkeepFailed = (error) => failures.push(error);
    await rollUp().catch(failed);
    await sealEach(now, failed);
    if (failures.length > 0) throw failures[0];
  }

  function daysWithSamples(): number[] {
    const hours = database.prepare<[number], number>('SELECT bucket FROM bucket WHERE level = ? AND n > 0').pluck();
    const { samplesFrom } = database
      .prepare<[], { samplesFrom: number }>('SELECT samples_from AS samplesFrom FROM state')
      .get() ?? { samplesFrom: 0 };
    const days = hours.all(LEVELS.hour).map((hour) => bucketOf('day', bucketStart('hour', hour)));
    // What can't be rolled up is in no hour yet.
    for (const { t0, t1 } of pendingSpans.iterate()) {
      for (let day = bucketOf('day', t0); day <= bucketOf('day', t1); day++) days.push(day);
    }
    return [...new Set(days)].filter((day) => day * DAY_MS >= samplesFrom).sort((a, b) => a - b);
  }

  /** Pending samples are searched too, so whether they can be rolled up does not matter here. */
  async function eraseSamples(client: string): Promise<{ samples: number; days: number }> {
    const failures: unknown[] = [];
    await rollUp().catch((error: unknown) => tell(translateError(error)));
    let samples = 0;
    let days = 0;
    for (const day of translating(daysWithSamples)) {
      try {
        const writes = await onDay(day, () => apply(() => jobs.run('eraseFromDay', [client, day])));
        if (writes === null) continue;
        quarantine.noteRebuilt(bucketStart('day', day), bucketStart('day', day + 1));
        samples += writes.removedSamples;
        days++;
        if (bucketStart('day', day + 1) <= clock()) await sealDay(day);
      } catch (error) {
        // The other days are erased from all the same; that one was not is said at the end.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return { samples, days };
  }

  async function releaseQuarantine(): Promise<void> {
    const rebuilt = new Set(quarantine.rebuilt());
    for (const { id, from, to } of quarantine.list()) {
      if ((await jobs.run('faultInQuarantine', [id])) !== null) continue;
      if (!(await writer.run('release', [id])) || !rebuilt.has(id)) continue;
      for (const day of translating(daysWithSamples)) {
        if (bucketStart('day', day + 1) <= from || bucketStart('day', day) > to) continue;
        await onDay(day, () => apply(() => jobs.run('eraseFromDay', [null, day])));
      }
    }
    for (const client of quarantine.erased()) await eraseSamples(client);
  }

  return {
    rollUp: () => inTurn(rollUp),
    rollUpStep: () => inTurn(rollUpStep),
    seal: (now) => inTurn(() => seal(now)),
    sealEach: (now, failed) => inTurn(() => sealEach(now, failed)),
    releaseQuarantine: () => inTurn(releaseQuarantine),
    async quarantine() {
      return quarantine.list();
    },
    prune: (now, retention) => inTurn(async () => translating(() => prune(database, now, retention))),
    erase: (client) =>
      inTurn(async () => {
        // First, so that nothing of it comes back with what is released later, wherever this ends.
        quarantine.noteErased(client);
        const { samples, days } = await eraseSamples(client);
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
        return { samples, days, quarantined: quarantine.list().reduce((sum, chunk) => sum + chunk.samples, 0) };
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
        const aside = () => quarantine.list().map(quarantineFault);
        if (faults.length > 0) return [...faults, ...aside()];
        await rollUp().catch((error: unknown) => faults.push(`rollups are behind: ${reasonOf(error)}`));
        for (const day of translating(daysWithSamples)) {
          const found = await jobs.run('checkDay', [day]).catch((error: unknown) => [dayFault(day, error)]);
          faults.push(...found);
        }
        return [...faults, ...aside()];
      }),
    async sizes() {
      return translating(() => sizesOf(database));
    },
  };
}

function dayFault(day: number, error: unknown): string {
  return `the day ${new Date(bucketStart('day', day)).toISOString().slice(0, 10)} can't be checked: ${reasonOf(error)}`;
}

/** With what becomes of it: there is nothing else to be done by hand. */
function quarantineFault({ from, samples, since, reason }: QuarantinedChunk): string {
  const [start, aside] = [from, since].map((time) => new Date(time).toISOString());
  return `${samples} samples from ${start} on are in quarantine since ${aside} (${reason}); the server tries them again at its next start`;
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
      database.prepare('DELETE FROM quarantine WHERE t1 < ?').run(samplesFrom);
      database.exec('DELETE FROM quarantine_erased WHERE NOT EXISTS (SELECT 1 FROM quarantine)');
      database.prepare('UPDATE state SET step = step + 1, samples_from = max(samples_from, ?)').run(samplesFrom);
      database.prepare('DELETE FROM pending WHERE chunk NOT IN (SELECT id FROM chunk)').run();
      if (gone.changes > 0) database.prepare('UPDATE state SET revision = revision + 1').run();
      database.prepare('DELETE FROM batch WHERE received_at < ?').run(now - BATCH_ID_DAYS * DAY_MS);
      database.prepare('DELETE FROM browser WHERE last_at < ?').run(samplesFrom);
      database.prepare('DELETE FROM probe_turn WHERE at < ?').run(samplesFrom);
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
