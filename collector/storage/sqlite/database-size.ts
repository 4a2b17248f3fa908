import type { StatsFs } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { RESOLUTIONS } from '../rollups/resolutions.ts';
import type { FreeSpace } from '../store.ts';
import { translating } from './translate-error.ts';

export async function readFreeSpace(database: Database): Promise<FreeSpace> {
  const [disk, file] = await Promise.all([statfs(dirname(database.name)), stat(database.name)]);
  return translating(() => spaceBeside(database, file.size, disk));
}

/** @param fileBytes size of the database file without the log, which will take its space again when it is copied */
function spaceBeside(database: Database, fileBytes: number, { bavail, bsize, blocks }: StatsFs): FreeSpace {
  const bytesOf = (name: string) => (database.pragma(name, { simple: true }) as number) * pageBytesOf(database);
  const [used, most] = [bytesOf('page_count'), bytesOf('max_page_count')];
  const onDisk = Math.max(0, bavail * bsize - Math.max(0, used - fileBytes));
  // Free pages are reused before the file grows.
  const bytes = Math.min(onDisk, most - used) + bytesOf('freelist_count');
  return { bytes, onDisk, size: Math.min(blocks * bsize, most) };
}

/** Bytes in use, by what they hold. */
export function readSizes(database: Database) {
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

function pageBytesOf(database: Database): number {
  return database.pragma('page_size', { simple: true }) as number;
}
