import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/retention-of.ts';
import type { ClockWatch } from '../clock-watch.ts';
import { bucketOf, bucketStart, DAY_MS, RESOLUTIONS, type Resolution } from '../rollups/resolutions.ts';
import type { ErasedBy, FreeSpace, QuarantinedChunk, RequestOptions, StoreMaintenance } from '../store.ts';
import { reasonOf, type StoreError } from '../store-error.ts';
import { createApply, createAroundFaults } from './around-faults.ts';
import { removeMigrationCopies, writeBackup } from './copy-database.ts';
import { isIntact, type StoredBlob } from './intact.ts';
import type { ForgetBatchIds } from './prune.ts';
import { createQuarantine } from './quarantine.ts';
import type { StoreRunner } from './store-thread.ts';
import { translateError, translating } from './translate-error.ts';

/** Called with each failure; the rest of the work goes on. */
export type OnFailure = (error: unknown) => void;

export interface SqliteMaintenance extends StoreMaintenance {
  /** One step of `rollUp`; resolves to whether the step was full, so that more may wait. */
  rollUpStep(): Promise<boolean>;
  /** `finalize` without the rollup, day by day: the failure of one day is reported, and the others are done. */
  finalizeEach(now: number, failed: OnFailure): Promise<void>;
  /** A long pass ends early, leaving the rest to the next one, if `isStopped` returns true; it is called now and then. */
  prune(now: number, retention: Retention, isStopped?: () => boolean): Promise<void>;
  /** Releases chunks that can be processed again, for example after an upgrade. */
  releaseQuarantine(): Promise<void>;
}

/**
 * @param writer writes the results of `jobs` between arriving samples
 * @param tell called when chunks are set aside, and for failures that do not end the work
 */
export function createMaintenance(
  database: Database,
  { jobs, writer }: { readonly jobs: StoreRunner<'reader'>; readonly writer: StoreRunner<'writer'> },
  {
    clock,
    watch,
  }: { readonly clock: () => number; readonly watch: Pick<ClockWatch, 'doubt' | 'hearBrowsers' | 'mayForgetIds'> },
  tell: (error: StoreError) => void = () => {},
): SqliteMaintenance {
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

  /** Runs jobs one after the other, because each computes from what the previous one wrote. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  }

  /** Rolls up the samples present now. Until none are left, it might never end, encoding the hour again in each step. */
  async function rollUp(): Promise<void> {
    while (await rollUpStep());
  }

  async function finalizeDay(day: number): Promise<void> {
    await onDay(day, async () => {
      while ((await apply(() => jobs.run('compactDay', [day]))) !== null);
      await apply(() => jobs.run('finalizeDay', [day]));
    });
  }

  async function finalizeEach(now: number, failed: OnFailure): Promise<void> {
    const over = (resolution: 'day' | 'month') =>
      translating(() => stale.all(RESOLUTIONS[resolution])).filter(
        (bucket) => bucketStart(resolution, bucket + 1) <= now,
      );
    for (const day of over('day')) await finalizeDay(day).catch(failed);
    const open = new Set(translating(() => stale.all(RESOLUTIONS.day)).map((day) => bucketOf('month', day * DAY_MS)));
    for (const month of over('month')) {
      if (!open.has(month)) await apply(() => jobs.run('finalizeMonth', [month])).catch(failed);
    }
  }

  /** Does all of it, and then throws the first failure. */
  async function finalize(now: number): Promise<void> {
    const failures: unknown[] = [];
    const failed: OnFailure = (error) => failures.push(error);
    await rollUp().catch(failed);
    await finalizeEach(now, failed);
    if (failures.length > 0) throw failures[0];
  }

  const keptFrom = database.prepare<[], number>('SELECT samples_from FROM state').pluck();
  const samplesFrom = () => translating(() => keptFrom.get()) ?? 0;

  function daysWithSamples(): number[] {
    const hours = database.prepare<[number], number>('SELECT bucket FROM bucket WHERE level = ? AND n > 0').pluck();
    const days = hours.all(RESOLUTIONS.hour).map((hour) => bucketOf('day', bucketStart('hour', hour)));
    // Samples that can't be rolled up are in no hour yet.
    for (const { t0, t1 } of pendingSpans.iterate()) {
      for (let day = bucketOf('day', t0); day <= bucketOf('day', t1); day++) days.push(day);
    }
    return [...new Set(days)].filter((day) => day * DAY_MS >= samplesFrom()).sort((a, b) => a - b);
  }

  /** Pending samples are erased too, so this does not depend on the rollup. */
  async function eraseSamples(
    whose: ErasedBy,
    progress: RequestOptions['progress'] = () => {},
  ): Promise<{ samples: number; days: number }> {
    const failures: unknown[] = [];
    await rollUp().catch((error: unknown) => tell(translateError(error)));
    let samples = 0;
    let days = 0;
    const all = translating(daysWithSamples);
    for (const [index, day] of all.entries()) {
      progress(index / all.length);
      try {
        const writes = await onDay(day, () => apply(() => jobs.run('eraseFromDay', [whose, day])));
        if (writes === null) continue;
        quarantine.noteRebuilt(bucketStart('day', day), bucketStart('day', day + 1));
        samples += writes.removedSamples;
        days++;
        if (bucketStart('day', day + 1) <= clock()) await finalizeDay(day);
      } catch (error) {
        // Continues with the other days and fails at the end.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return { samples, days };
  }

  /** Rebuilds the hours of a day from its samples, and finalizes it again if it is over. */
  async function rebuildDay(day: number): Promise<void> {
    await onDay(day, () => apply(() => jobs.run('eraseFromDay', [null, day])));
    if (bucketStart('day', day + 1) <= clock()) await finalizeDay(day);
  }

  async function releaseQuarantine(): Promise<void> {
    for (const { id } of quarantine.list()) {
      if ((await jobs.run('faultInQuarantine', [id])) === null) await writer.run('release', [id]);
    }
    for (const day of quarantine.daysToRebuild()) {
      // Expired days exist only as rollups.
      if (day * DAY_MS >= samplesFrom()) await rebuildDay(day);
      quarantine.noteDayRebuilt(day);
    }
    for (const whose of quarantine.erased()) await eraseSamples(whose);
  }

  /** False if the clock is in doubt and nothing was removed. */
  async function pruneBelieved(now: number, retention: Retention): Promise<boolean> {
    const believed = translating(() => {
      watch.hearBrowsers();
      return watch.doubt() === null;
    });
    if (!believed) return false;
    await writer.run('prune', [now, retention]);
    translating(() => removeMigrationCopies(database.name, now));
    return true;
  }

  /** Ids with unreliable times of receipt are kept; the clock may jump between two slices. */
  async function forgetBatchIds(now: number, isStopped: () => boolean): Promise<void> {
    let after: Parameters<ForgetBatchIds>[1] = null;
    do {
      if (isStopped() || !translating(() => watch.mayForgetIds())) return;
      const input: Parameters<ForgetBatchIds> = [now, after];
      after = await writer.run('forgetBatchIds', input);
    } while (after !== null);
  }

  const checkDay = (day: number) => jobs.run('checkDay', [day]).catch((error: unknown) => [dayFault(day, error)]);

  /** Skips days with samples in quarantine: their hours count samples that a rebuild would lose. */
  async function repair(): Promise<readonly string[]> {
    await rollUp().catch((error: unknown) => tell(translateError(error)));
    const aside = quarantine.list();
    const repaired: string[] = [];
    for (const day of translating(daysWithSamples)) {
      const [from, to] = [bucketStart('day', day), bucketStart('day', day + 1)];
      if (aside.some((chunk) => chunk.to >= from && chunk.from < to)) continue;
      if ((await checkDay(day)).length === 0) continue;
      await rebuildDay(day);
      repaired.push(nameOfDay(day));
    }
    if (repaired.length > 0) await finalizeEach(clock(), (error) => tell(translateError(error)));
    return repaired;
  }

  return {
    rollUp: () => inTurn(rollUp),
    rollUpStep: () => inTurn(rollUpStep),
    finalize: (now) => inTurn(() => finalize(now)),
    finalizeEach: (now, failed) => inTurn(() => finalizeEach(now, failed)),
    releaseQuarantine: () => inTurn(releaseQuarantine),
    async quarantine() {
      return quarantine.list();
    },
    async prune(now, retention, isStopped = () => false) {
      if (!(await inTurn(() => pruneBelieved(now, retention)))) return;
      // Outside the sequence: nothing is computed from ids, so no rollup has to wait for this.
      await forgetBatchIds(now, isStopped);
      await writer.run('vacuum', []);
    },
    erase: (whose, { progress } = {}) =>
      inTurn(async () => {
        // First, so that chunks released later cannot bring any of it back, even if this is interrupted.
        quarantine.noteErased(whose);
        const { samples, days } = await eraseSamples(whose, progress);
        const forgotten = translating(() => forget(database, whose));
        while ((await apply(() => jobs.run('forgetClients', []))) !== null);
        // Only if something was erased: a mistyped id must not delete the copies.
        quarantine.forgetErased();
        if (samples > 0 || forgotten) translating(() => removeMigrationCopies(database.name, null));
        return { samples, days, quarantined: quarantine.list().reduce((sum, chunk) => sum + chunk.samples, 0) };
      }),
    async keptFrom() {
      return samplesFrom();
    },
    async backup(file) {
      writeBackup(database.name, file);
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
          faults.push(...(await checkDay(day)));
        }
        return [...faults, ...aside()];
      }),
    repair: () => inTurn(repair),
    async freeSpace() {
      const [{ bavail, bsize, blocks }, { size }] = await Promise.all([
        statfs(dirname(database.name)),
        stat(database.name),
      ]);
      return translating(() => freeSpaceOf(database, size, { free: bavail * bsize, size: blocks * bsize }));
    },
    async sizes() {
      return translating(() => sizesOf(database));
    },
  };
}

function dayFault(day: number, error: unknown): string {
  return `the day ${nameOfDay(day)} can't be checked: ${reasonOf(error)}`;
}

function nameOfDay(day: number): string {
  return new Date(bucketStart('day', day)).toISOString().slice(0, 10);
}

/** Includes what happens next, since there is nothing to do by hand. */
function quarantineFault({ from, samples, since, reason }: QuarantinedChunk): string {
  const [start, aside] = [from, since].map((time) => new Date(time).toISOString());
  return `${samples} samples from ${start} on have been in quarantine since ${aside} (${reason}); the server tries them again at its next start`;
}

/** Removes data outside chunks; false if there were none. */
function forget(database: Database, whose: ErasedBy): boolean {
  const remove = (sql: string, id: string) => database.prepare(sql).run(id).changes > 0;
  if ('key' in whose) {
    const browsers = remove('DELETE FROM browser WHERE key = ?', whose.key);
    return remove('DELETE FROM probe_turn WHERE key = ?', whose.key) || browsers;
  }
  // Rollups older than the samples still count this browser, but it can no longer be identified.
  const named = database
    .transaction(() => {
      database.prepare('UPDATE state SET step = step + 1').run();
      return remove('DELETE FROM client WHERE client = ?', whose.client);
    })
    .immediate();
  const browsers = remove('DELETE FROM browser WHERE client = ?', whose.client);
  return remove('DELETE FROM probe_turn WHERE client = ?', whose.client) || browsers || named;
}

/** Corrupt blobs, in words. Rollups older than their samples cannot be verified in any other way. */
function damagedBlobs(database: Database): string[] {
  const names = Object.entries(RESOLUTIONS).map(([name, resolution]) => [resolution, name as Resolution] as const);
  const resolutions = new Map<number, Resolution>(names);
  const blocks = database.prepare<[], StoredBlob & { resolution: number; bucket: number }>(
    'SELECT level AS resolution, bucket, bytes, crc FROM pack',
  );
  const chunks = database.prepare<[], StoredBlob & { t0: number }>('SELECT t0, bytes, crc FROM chunk');
  const faults = new Set<string>();
  for (const { resolution, bucket, ...blob } of blocks.iterate()) {
    const name = resolutions.get(resolution);
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

/** @param fileBytes size of the database file without the log, which will need as much space again when it is copied */
function freeSpaceOf(database: Database, fileBytes: number, disk: { free: number; size: number }): FreeSpace {
  const bytesOf = (name: string) => (database.pragma(name, { simple: true }) as number) * pageBytesOf(database);
  const [used, most] = [bytesOf('page_count'), bytesOf('max_page_count')];
  const onDisk = Math.max(0, disk.free - Math.max(0, used - fileBytes));
  // Free pages are reused before the file grows.
  const bytes = Math.min(onDisk, most - used) + bytesOf('freelist_count');
  return { bytes, onDisk, size: Math.min(disk.size, most) };
}

function sizesOf(database: Database) {
  const blocks = database
    .prepare<[number], number>('SELECT coalesce(sum(length(bytes)), 0) FROM pack WHERE level = ?')
    .pluck();
  const chunks = database.prepare<[], number>('SELECT coalesce(sum(length(bytes)), 0) FROM chunk').pluck();
  const used =
    (database.pragma('page_count', { simple: true }) as number) -
    (database.pragma('freelist_count', { simple: true }) as number);
  return {
    chunks: chunks.get() ?? 0,
    hour: blocks.get(RESOLUTIONS.hour) ?? 0,
    day: blocks.get(RESOLUTIONS.day) ?? 0,
    month: blocks.get(RESOLUTIONS.month) ?? 0,
    exact: blocks.get(RESOLUTIONS.exact) ?? 0,
    total: used * pageBytesOf(database),
  };
}
