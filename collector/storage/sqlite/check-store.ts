import type { Database } from 'better-sqlite3';
import { bucketStart, nameOfDay, RESOLUTIONS, type Resolution } from '../rollups/resolutions.ts';
import type { QuarantinedChunk } from '../store.ts';
import { toReason } from '../store-error.ts';
import { isIntact, type StoredBlob } from './intact.ts';
import type { StoreRunner } from './store-thread.ts';

/** Faults of the database file, in words; of its blobs only if SQLite finds none itself. */
export function databaseFaults(database: Database): string[] {
  const integrity = database.pragma('integrity_check') as { integrity_check: string }[];
  const faults = integrity.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  return faults.length > 0 ? faults : damagedBlobs(database);
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

/** Faults of a day's rollups, or why they could not be looked for, in words. */
export async function dayFaults(jobs: StoreRunner<'reader'>, day: number): Promise<readonly string[]> {
  try {
    return await jobs.run('checkDay', [day]);
  } catch (error) {
    return [`the day ${nameOfDay(day)} can't be checked: ${toReason(error)}`];
  }
}

/** @param next what happens to it, since there is nothing to do by hand */
export function quarantineFault(
  { from, samples, since, reason }: QuarantinedChunk,
  next = 'the server tries them again at its next start',
): string {
  const [start, aside] = [from, since].map((time) => new Date(time).toISOString());
  return `${samples} samples from ${start} on have been in quarantine since ${aside} (${reason}); ${next}`;
}
