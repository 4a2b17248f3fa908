import type { Database } from 'better-sqlite3';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { reasonOf } from '../fault-reason.ts';
import { BucketRollup } from '../rollups/bucket-rollup.ts';
import { createCellCatalog } from '../rollups/cell-catalog.ts';
import { bucketStart } from '../rollups/resolutions.ts';
import { rollUp } from '../rollups/rollup-builder.ts';
import { intact, type StoredBlob } from './intact.ts';
import type { ChunkFault } from './quarantine.ts';

/** Reads chunks one by one, for those with which a job failed. */
export interface FindUnreadable {
  among(chunks: readonly number[]): ChunkFault[];
  ofDay(day: number): ChunkFault[];
  /** Why a chunk in quarantine still can't be read; null where it can. */
  inQuarantine(chunk: number): string | null;
}

export function createFindUnreadable(database: Database): FindUnreadable {
  const chunk = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');
  const quarantined = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM quarantine WHERE id = ?');
  const ofDay = database.prepare<[number, number], number>('SELECT id FROM chunk WHERE t1 >= ? AND t0 < ?').pluck();

  const among = (chunks: readonly number[]) =>
    chunks.flatMap((id) => {
      const blob = chunk.get(id);
      const reason = blob === undefined ? null : faultOf(blob);
      return reason === null ? [] : [{ id, reason }];
    });
  return {
    among,
    ofDay: (day) => among(ofDay.all(bucketStart('day', day), bucketStart('day', day + 1))),
    inQuarantine(id) {
      const blob = quarantined.get(id);
      return blob === undefined ? null : faultOf(blob);
    },
  };
}

/** Everything that any job does with a chunk; what it makes is thrown away. Reading the blob itself is not its fault. */
function faultOf(blob: StoredBlob): string | null {
  try {
    const columns = decodeChunk(intact(blob, 'a chunk of samples'));
    for (const name of columns.metricNames) columns.metric(name);
    const hours = new Map<number, BucketRollup>();
    rollUp(columns, createCellCatalog(), (hour) => {
      const open = hours.get(hour) ?? new BucketRollup();
      hours.set(hour, open);
      return open;
    });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
