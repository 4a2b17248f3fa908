import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { COPIED_SETTINGS } from './control-copy.ts';
import { migrationCopies } from './copy-database.ts';
import { DATABASE_FILE, quickCheck, SERVER_LOCK } from './data-folder.ts';
import { clockMemory } from './folder-state.ts';
import { STEPS, tooNew, versionOf } from './migrations.ts';
import { translateError, translating } from './translate-error.ts';
import { whereSamplesAre } from './where-samples-are.ts';

export type FolderContents = ReturnType<typeof inspectFolder>;

/** Looks into a data folder without creating, migrating or locking anything. Times are epoch ms. Throws a StoreError. */
export function inspectFolder(folder: string, samplesPassword: string) {
  return translating(() => {
    const { bavail, bsize, blocks } = statfsSync(folder);
    const disk = { freeBytes: bavail * bsize, diskBytes: blocks * bsize };
    const isServed = isLocked(join(folder, SERVER_LOCK));
    const database = new Database(join(folder, DATABASE_FILE), { readonly: true });
    try {
      return { isServed, ...disk, ...readContents(database, samplesPassword) };
    } finally {
      database.close();
    }
  });
}

function readContents(database: Database.Database, samplesPassword: string) {
  const version = versionOf(database);
  if (version > STEPS.length) throw tooNew(database);
  const sizeIn = (name: string) => database.pragma(name, { simple: true }) as number;
  const one = (sql: string) => database.prepare<[], unknown>(sql).pluck().get() ?? null;
  // Before its first start a database has no tables.
  const hasTables = version > 0;
  const own = 'SELECT document FROM settings ORDER BY revision DESC LIMIT 1';
  return {
    version,
    known: STEPS.length,
    databaseBytes: sizeIn('page_count') * sizeIn('page_size'),
    /** `ok`, the first fault, or null where the database is too large to be read now. */
    quickCheck: quickCheck(database),
    /** Made before a migration. */
    copies: migrationCopies(database.name),
    /** When the clock was last trusted. */
    seen: hasTables ? clockMemory(database).read() : null,
    /** Time of the oldest sample still stored; null if there are none. */
    oldest: hasTables ? (one('SELECT min(t0) FROM chunk') as number | null) : null,
    /** Where samples are stored if not in this folder; otherwise null. */
    samplesIn: hasTables ? whereSamplesAre(database, { folder: '', as: 'command', samplesPassword }) : null,
    /** As written, valid or not. */
    settings: hasTables ? JSON.parse(String(one(COPIED_SETTINGS.document) ?? one(own))) : null,
  };
}

/** A running server holds an exclusive lock, which makes this read fail. */
function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const lock = new Database(file, { readonly: true, timeout: 0 });
  try {
    lock.prepare('SELECT 1 FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (translateError(error).code === 'store_busy') return true;
    throw error;
  } finally {
    lock.close();
  }
}
