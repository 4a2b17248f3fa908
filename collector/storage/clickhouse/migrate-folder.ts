import { join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { toSampleColumns } from '../columns/batch-columns.ts';
import { bucketAt, RESOLUTIONS } from '../rollups/resolutions.ts';
import { DATABASE_FILE, lockForCopy, lockForServer, openMigrated, refuseMissing } from '../sqlite/data-folder.ts';
import { copyId, moveSamplesTo, removeCopied, samplesVersion } from '../sqlite/migration.ts';
import { openScanJobs } from '../sqlite/scan-columns.ts';
import { translateError } from '../sqlite/translate-error.ts';
import { whereSamplesAre } from '../sqlite/where-samples-are.ts';
import type { ClickHouseAddress } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type CopyPass, copySamples, type ReadSamples } from './copy-samples.ts';
import { migrateTables } from './migrate-tables.ts';
import { type ClickHouse, openClickHouse } from './open-clickhouse.ts';
import { writeRollups } from './write-rollups.ts';

export interface FolderMigration {
  readonly folder: string;
  readonly to: ClickHouseAddress;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly onNotice: (text: string) => void;
  /** Gets the part of the days that is done, once for each pass over them. */
  readonly progress: (part: number) => void;
}

export interface MigratedFolder {
  readonly samples: number;
  readonly days: number;
  /** False while a server uses the folder, which goes on collecting: the rest is copied once it has stopped. */
  readonly finished: boolean;
  /** Samples that could not be processed and were set aside; they stay in the folder. */
  readonly quarantined: number;
  /** Rollups whose samples have expired; they stay in the folder, and no answer has them. */
  readonly leftRollups: Readonly<Record<'hour' | 'day' | 'month', number>>;
}

/** Passes over a folder without a server: only commands can have changed it in between. */
const MAX_PASSES = 5;

/**
 * Copies the samples of a data folder to ClickHouse, while a server may use it. If none does, compares both and makes
 * ClickHouse the place where they are. Can be cut off and repeated at any time. Throws a StoreError.
 */
export async function migrateFolder({
  folder,
  to,
  clock,
  onNotice,
  progress,
}: FolderMigration): Promise<MigratedFolder> {
  const path = resolve(folder);
  refuseMissing(path);
  const unlock = lockForCopy(path);
  try {
    const database = openMigrated({ file: join(path, DATABASE_FILE), maxBytes: null }, onNotice, path);
    const clickHouse = openClickHouse(to, () => {});
    try {
      refuseMoved(database, folder);
      await migrateTables(clickHouse, to.database);
      const id = copyId(database);
      await claim(clickHouse, id, to);
      const moved = await moveAll(database, clickHouse, id, { path, to, clock, progress });
      return { ...moved, quarantined: quarantinedIn(database), leftRollups: leftRollupsIn(database) };
    } finally {
      clickHouse.close();
      database.close();
    }
  } catch (error) {
    throw translateError(error);
  } finally {
    unlock();
  }
}

async function moveAll(
  database: Database,
  clickHouse: ClickHouse,
  id: string,
  { path, to, clock, progress }: Pick<FolderMigration, 'to' | 'clock' | 'progress'> & { readonly path: string },
): Promise<Pick<MigratedFolder, 'samples' | 'days' | 'finished'>> {
  const scans = openScanJobs({ file: database.name, maxBytes: null });
  const copy = {
    read: readerOf(scans),
    name: blockName(id),
    expectOwn: () => expectOnlyCopy(clickHouse, id, to),
    progress,
  };
  const pass = (): Promise<CopyPass> => copySamples(clickHouse, daysIn(database), copy);
  const unlock = lockUnlessServed(path);
  try {
    if (unlock === null) {
      // The second pass copies what arrived during the first, which may have taken hours, and compares the rest.
      await pass();
      const { samples, days } = await pass();
      return { samples, days, finished: false };
    }
    for (let passes = 0; passes < MAX_PASSES; passes++) {
      const version = samplesVersion(database);
      const { samples, days, hours } = await pass();
      if (hours > 0) continue;
      await clickHouse.run(`INSERT INTO state VALUES ('samplesFrom', ${samplesFromIn(database)})`);
      await removeErased(clickHouse);
      await writeRollups(clickHouse, clock());
      if (!moveSamplesTo(database, to, version)) continue;
      removeCopied(database);
      return { samples, days, finished: true };
    }
  } finally {
    scans.close();
    unlock?.();
  }
  throw new StoreError(
    'store_failed',
    `the samples differ from their copy after ${MAX_PASSES} passes`,
    'Run the command again while no other one writes to the data folder.',
  );
}

function readerOf(scans: ReturnType<typeof openScanJobs>): ReadSamples {
  return async function* read(range) {
    const scan = scans.openScan({ range, filters: {} });
    try {
      for (;;) {
        const block = await scans.nextBlock(scan);
        if (block === null) return;
        yield toSampleColumns(block);
      }
    } finally {
      scans.closeScan(scan);
    }
  };
}

function lockUnlessServed(path: string): (() => void) | null {
  try {
    return lockForServer(path);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'data_folder_in_use') return null;
    throw error;
  }
}

function refuseMoved(database: Database, folder: string): void {
  removeCopied(database);
  const address = whereSamplesAre(database, { folder, as: 'command' });
  if (address === null) return;
  throw new StoreError(
    'data_folder_unusable',
    `the samples of this data folder are already in ClickHouse, in the database ${address.database}`,
    'Start the server with the same --samples.',
  );
}

/**
 * Makes the database that of the folder's copy: the samples of anything else would be removed, because the folder does not have
 * them. Two folders that begin at the same moment are both refused.
 */
async function claim(clickHouse: ClickHouse, id: string, to: ClickHouseAddress): Promise<void> {
  await expectOnlyCopy(clickHouse, id, to);
  const [known = 0] = (await clickHouse.select(`SELECT count() AS n FROM state WHERE name = 'copy of ${id}'`)).numbers(
    'n',
  );
  if (known > 0) return;
  const [others = 0] = (
    await clickHouse.select(
      'SELECT (SELECT count() FROM sample) + (SELECT count() FROM bucket) + (SELECT count() FROM arrival) AS n',
    )
  ).numbers('n');
  if (others > 0) throw hasOthers(to);
  await clickHouse.run(`INSERT INTO state VALUES ('copy of ${id}', 0)`);
  await expectOnlyCopy(clickHouse, id, to);
}

/** A collector may have begun to forward to the same database since the copy began, or another folder may be copied to it. */
async function expectOnlyCopy(clickHouse: ClickHouse, id: string, to: ClickHouseAddress): Promise<void> {
  const [others = 0] = (
    await clickHouse.select(
      `SELECT (SELECT count() FROM arrival WHERE NOT startsWith(token, {own:String}))
         + (SELECT count() FROM state WHERE startsWith(name, 'copy of ') AND name != {name:String}) AS n`,
      { own: blockName(id), name: `copy of ${id}` },
    )
  ).numbers('n');
  if (others > 0) throw hasOthers(to);
}

function hasOthers({ database }: ClickHouseAddress): StoreError {
  return new StoreError(
    'data_folder_unusable',
    `the database ${database} has samples that are not from this data folder`,
    'Name an empty database with --to.',
  );
}

/** What the names of its blocks begin with. */
function blockName(id: string): string {
  return `copy ${id} `;
}

/** Browsers whose samples are gone from the folder since they were copied: their ids go too. */
async function removeErased(clickHouse: ClickHouse): Promise<void> {
  const { strings: erased } = (
    await clickHouse.select(
      'SELECT DISTINCT toLowCardinality(client) AS client FROM client WHERE client NOT IN (SELECT client FROM sample)',
    )
  ).text('client');
  if (erased.length > 0) await clickHouse.deleteRows('client', 'client IN {erased:Array(String)}', { erased });
}

function daysIn(database: Database): number[] {
  const spans = database.prepare<[], { t0: number; t1: number }>('SELECT t0, t1 FROM chunk').all();
  const days = new Set<number>();
  for (const { t0, t1 } of spans) for (let day = bucketAt('day', t0); day <= bucketAt('day', t1); day++) days.add(day);
  return [...days];
}

function samplesFromIn(database: Database): number {
  return database.prepare<[], number>('SELECT samples_from FROM state').pluck().get() ?? 0;
}

function quarantinedIn(database: Database): number {
  return database.prepare<[], number>('SELECT coalesce(sum(n), 0) FROM quarantine').pluck().get() ?? 0;
}

/** Months whose first days have expired are among them. */
function leftRollupsIn(database: Database): MigratedFolder['leftRollups'] {
  const count = database
    .prepare<[number, number], number>('SELECT count(*) FROM bucket WHERE level = ? AND bucket <= ? AND n > 0')
    .pluck();
  const before = samplesFromIn(database) - 1;
  const left = (resolution: 'hour' | 'day' | 'month') =>
    count.get(RESOLUTIONS[resolution], bucketAt(resolution, before)) ?? 0;
  return { hour: left('hour'), day: left('day'), month: left('month') };
}
