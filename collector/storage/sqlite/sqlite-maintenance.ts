import type { Database } from 'better-sqlite3';
import type { Retention } from '../../../shared/settings/read-retention.ts';
import type { ClockWatch } from '../clock-watch.ts';
import { bucketAt, bucketStart, DAY_MS, nameOfDay, RESOLUTIONS } from '../rollups/resolutions.ts';
import type { ErasedBy, RequestOptions, StoreMaintenance } from '../store.ts';
import { type StoreError, toReason } from '../store-error.ts';
import { createApply, createAroundFaults } from './around-faults.ts';
import { databaseFaults, dayFaults, quarantineFault } from './check-store.ts';
import { removeMigrationCopies, writeBackup } from './copy-database.ts';
import { readFreeSpace, readSizes } from './database-size.ts';
import { forget } from './erase-client.ts';
import type { ForgetBatchIds } from './prune.ts';
import { createQuarantine } from './quarantine.ts';
import type { StoreRunner } from './store-thread.ts';
import { translateError, translating } from './translate-error.ts';
import { expectSamplesHere } from './where-samples-are.ts';

/** Called with each failure; the rest of the work goes on. */
export type OnFailure = (error: unknown) => void;

export interface SqliteMaintenance extends StoreMaintenance {
  /** One step of `rollUp`; resolves to whether the step was full, so that more may wait. */
  rollUpStep(): Promise<boolean>;
  /** `finalize` without the rollup, day by day: the failure of one day is reported, and the others are done. */
  finalizeEach(now: number, failed: OnFailure): Promise<void>;
  /** A long pass ends early, leaving the rest to the next one, if `isStopped`, called periodically, returns true. */
  prune(now: number, retention: Retention, isStopped?: () => boolean): Promise<void>;
  /** What is known of a browser or key apart from samples; resolves to how many samples are in quarantine. */
  forget(whose: ErasedBy): Promise<number>;
  /** Whether samples wait to be forwarded. */
  waits(): boolean;
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
  { clock, watch }: { readonly clock: () => number; readonly watch: Pick<ClockWatch, 'status'> },
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

  /** Rolls up the samples present now: going on until none are left might never end, and encode the hour each time. */
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
    const open = new Set(translating(() => stale.all(RESOLUTIONS.day)).map((day) => bucketAt('month', day * DAY_MS)));
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
    const days = hours.all(RESOLUTIONS.hour).map((hour) => bucketAt('day', bucketStart('hour', hour)));
    // Samples that can't be rolled up are in no hour yet.
    for (const { t0, t1 } of pendingSpans.iterate()) {
      for (let day = bucketAt('day', t0); day <= bucketAt('day', t1); day++) days.push(day);
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
    let samples = 0;
    for (const whose of quarantine.erased()) samples += (await eraseSamples(whose)).samples;
    if (samples > 0) await writer.run('removeRemnants', []);
  }

  const isClockTrusted = () => translating(() => watch.status().expected === null);

  /** False if the clock is in doubt and nothing was removed. */
  async function pruneTrusted(now: number, retention: Retention): Promise<boolean> {
    if (!isClockTrusted()) return false;
    await writer.run('prune', [now, retention]);
    translating(() => removeMigrationCopies(database.name, now));
    return true;
  }

  /** The clock may jump between two slices. */
  async function forgetBatchIds(now: number, isStopped: () => boolean): Promise<void> {
    let after: Parameters<ForgetBatchIds>[1] = null;
    do {
      if (isStopped() || !isClockTrusted()) return;
      const input: Parameters<ForgetBatchIds> = [now, after];
      after = await writer.run('forgetBatchIds', input);
    } while (after !== null);
  }

  /** Skips days with samples in quarantine: their hours count samples that a rebuild would lose. */
  async function repair(): Promise<readonly string[]> {
    await rollUp().catch((error: unknown) => tell(translateError(error)));
    const aside = quarantine.list();
    const repaired: string[] = [];
    for (const day of translating(daysWithSamples)) {
      const [from, to] = [bucketStart('day', day), bucketStart('day', day + 1)];
      if (aside.some((chunk) => chunk.to >= from && chunk.from < to)) continue;
      if ((await dayFaults(jobs, day)).length === 0) continue;
      await rebuildDay(day);
      repaired.push(nameOfDay(day));
    }
    if (repaired.length > 0) await finalizeEach(clock(), (error) => tell(translateError(error)));
    return repaired;
  }

  /** @param erased whether samples were erased: a mistyped id must not delete the copies */
  async function forgetRest(whose: ErasedBy, erased: boolean): Promise<number> {
    const forgotten = translating(() => forget(database, whose));
    while ((await apply(() => jobs.run('forgetClients', []))) !== null);
    quarantine.forgetErased();
    if (erased || forgotten) translating(() => removeMigrationCopies(database.name, null));
    // Even if nothing was found, since an earlier attempt may have been interrupted here.
    await writer.run('removeRemnants', []);
    return quarantine.list().reduce((sum, chunk) => sum + chunk.samples, 0);
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
      if (!(await inTurn(() => pruneTrusted(now, retention)))) return;
      // Outside the sequence: nothing is computed from ids, so no rollup has to wait for this.
      await forgetBatchIds(now, isStopped);
      await writer.run('vacuum', []);
    },
    erase: (whose, { progress } = {}) =>
      inTurn(async () => {
        // First, so that chunks released later cannot bring any of it back, even if this is interrupted.
        quarantine.noteErased(whose);
        const { samples, days } = await eraseSamples(whose, progress);
        // Where it found none, nothing was written that would have shown it.
        translating(() => expectSamplesHere(database));
        return { samples, days, quarantined: await forgetRest(whose, samples > 0) };
      }),
    forget: (whose) =>
      inTurn(async () => {
        quarantine.noteErased(whose);
        return forgetRest(whose, false);
      }),
    waits: () => false,
    async keptFrom() {
      return samplesFrom();
    },
    async backup(file) {
      writeBackup(database.name, file);
    },
    check: () =>
      inTurn(async () => {
        const faults = translating(() => databaseFaults(database));
        const aside = () => quarantine.list().map((chunk) => quarantineFault(chunk));
        if (faults.length > 0) return [...faults, ...aside()];
        await rollUp().catch((error: unknown) => faults.push(`rollups are behind: ${toReason(error)}`));
        for (const day of translating(daysWithSamples)) faults.push(...(await dayFaults(jobs, day)));
        return [...faults, ...aside()];
      }),
    repair: () => inTurn(repair),
    backlog: async () => null,
    freeSpace: () => readFreeSpace(database),
    async sizes() {
      return translating(() => readSizes(database));
    },
  };
}
