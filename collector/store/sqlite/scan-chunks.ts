import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { rowReader } from '../../../shared/sample/stored-sample.ts';
import type { SampleQuery, TimeRange } from '../../../shared/summary/dimensions.ts';
import { matchesFilters } from '../../../shared/summary/sample-dimension.ts';
import { decodeChunk } from '../chunk/decode-chunk.ts';
import type { SampleStore } from '../store.ts';
import { intact, type StoredBlob } from './intact.ts';
import { translating } from './translate-error.ts';

/** After so many samples the event loop gets its turn, so that a long scan doesn't hold up ingest. */
const SAMPLES_PER_TURN = 2000;

/** Samples handed out at a time. */
const MAX_BLOCK = 5000;

interface ChunkPlace {
  readonly id: number;
  readonly t0: number;
}

/** Whole samples, oldest first. */
export function createScan(file: string): SampleStore['scan'] {
  return async function* scan(query) {
    // A connection and a snapshot of its own: upkeep may merge and remove chunks while this goes on.
    const database = translating(() => new Database(file, { readonly: true }));
    try {
      database.exec('BEGIN');
      yield* scanSnapshot(database, query);
    } finally {
      database.close();
    }
  };
}

async function* scanSnapshot(database: Database.Database, { range, filters }: SampleQuery) {
  const places = database.prepare<[TimeRange], ChunkPlace>(
    'SELECT id, t0 FROM chunk WHERE t1 >= @from AND t0 < @to ORDER BY t0, id',
  );
  const bytes = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');
  {
    const chunks = translating(() => places.all(range));
    let waiting: StoredSample[] = [];
    for (const [index, { id }] of chunks.entries()) {
      const found = translating(() => bytes.get(id));
      if (found !== undefined) {
        const columns = translating(() => decodeChunk(intact(found, 'a chunk of samples')));
        const at = columns.at();
        const read = rowReader(columns);
        for (let row = 0; row < columns.n; row++) {
          const time = at[row] as number;
          if (time < range.from || time >= range.to) continue;
          const sample = read(row);
          if (matchesFilters(sample, filters)) waiting.push(sample);
          if (row % SAMPLES_PER_TURN === SAMPLES_PER_TURN - 1) await setImmediate();
        }
        waiting.sort((a, b) => a.at - b.at);
      }
      // Late samples make chunks overlap: what is younger than the next chunk's start may not be its turn yet.
      const next = chunks[index + 1]?.t0 ?? Infinity;
      const due = waiting.findIndex(({ at: time }) => time >= next);
      const block = due === -1 ? waiting : waiting.slice(0, due);
      waiting = due === -1 ? [] : waiting.slice(due);
      for (let first = 0; first < block.length; first += MAX_BLOCK) yield block.slice(first, first + MAX_BLOCK);
    }
  }
}
