import type { Database } from 'better-sqlite3';
import type { ClockWatch } from '../clock-watch.ts';
import { bucketOf, bucketStart, DAY_MS, LEVELS, type Level } from '../rollup/time-buckets.ts';
import type { ErasedBy, StoreUpkeep } from '../store.ts';
import { isIntact, type StoredBlob } from './intact.ts';
import type { JobRunner } from './job-runner.ts';
import { removeMigrationCopies } from './migration-copy.ts';
import { prune } from './prune.ts';
import { STEP_SAMPLES } from './roll-up-pending.ts';
import type { StoreWrites } from './store-writes.ts';
import { translating } from './translate-error.ts';
import { writeBackup } from './write-backup.ts';

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
  {
    clock,
    watch,
  }: { readonly clock: () => number; readonly watch: Pick<ClockWatch, 'doubt' | 'hearBrowsers' | 'mayForgetIds'> },
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
    prune: (now, retention) =>
      inTurn(async () =>
        translating(() => {
          watch.hearBrowsers();
          if (watch.doubt() !== null) return;
          prune(database, now, retention, watch.mayForgetIds());
          removeMigrationCopies(database.name, now);
          database.pragma(`incremental_vacuum(${VACUUM_BYTES / pageBytesOf(database)})`);
        }),
      ),
    erase: (whose, { progress } = {}) =>
      inTurn(async () => {
        await rollUp();
        const all = translating(daysWithSamples);
        let samples = 0;
        let days = 0;
        for (const [place, day] of all.entries()) {
          progress?.(place / all.length);
          const writes = await apply(() => jobs.run('eraseFromDay', [whose, day]));
          if (writes === null) continue;
          samples += writes.removedSamples;
          days++;
          if (bucketStart('day', day + 1) <= clock()) await sealDay(day);
        }
        translating(() => forget(database, whose));
        translating(() => removeMigrationCopies(database.name, null));
        return { samples, days };
      }),
    async keptFrom() {
      const state = database.prepare<[], number>('SELECT samples_from FROM state').pluck();
      return translating(() => state.get()) ?? 0;
    },
    backup: (file) => writeBackup(database.name, file),
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

/** What is not in chunks. */
function forget(database: Database, whose: ErasedBy): void {
  if ('key' in whose) {
    database.prepare('DELETE FROM browser WHERE key = ?').run(whose.key);
    database.prepare('DELETE FROM probe_turn WHERE key = ?').run(whose.key);
    return;
  }
  // Rollups older than the samples still count this browser, but no longer say which it was.
  database
    .prepare(`UPDATE word SET text = '(erased ' || id || ')' WHERE kind = 'client' AND text = ?`)
    .run(whose.client);
  database.prepare('DELETE FROM browser WHERE client = ?').run(whose.client);
  database.prepare('DELETE FROM probe_turn WHERE client = ?').run(whose.client);
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
