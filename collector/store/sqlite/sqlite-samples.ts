import type { Database } from 'better-sqlite3';
import type { Sample } from '../../../shared/sample/sample.ts';
import type { AcceptedBatch, AppendOutcome, SampleStore } from '../store.ts';
import { encodeChunk } from './chunk-codec.ts';
import { createChunkReader } from './chunk-reader.ts';
import { translating } from './translate-error.ts';

/** A chunk is closed once it holds so many: reading one must not keep the event loop for long. */
const CHUNK_SAMPLES = 5000;

export function createSampleStore(database: Database): SampleStore {
  const insertBatch = database.prepare(
    'INSERT OR IGNORE INTO batch (id, received_at, clock_correction, n, t0, t1) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertChunk = database.prepare('INSERT INTO chunk (t0, t1, n, blob) VALUES (?, ?, ?, ?)');

  const append = database.transaction((batches: readonly AcceptedBatch[]): AppendOutcome[] => {
    const fresh: AcceptedBatch[] = [];
    const outcomes = batches.map((batch) => {
      const span = spanOf(batch.samples);
      const { id, receivedAt, clockCorrection, samples } = batch;
      const row = [id, receivedAt, clockCorrection, samples.length, span?.t0 ?? null, span?.t1 ?? null];
      const duplicate = insertBatch.run(row).changes === 0;
      if (!duplicate) fresh.push(batch);
      return { id, duplicate };
    });
    for (const group of chunksOf(fresh)) {
      const span = spanOf(group.flatMap((batch) => batch.samples));
      if (span !== null) insertChunk.run(span.t0, span.t1, span.n, encodeChunk(group));
    }
    return outcomes;
  });

  return {
    async append(batches) {
      return translating(() => append.immediate(batches));
    },
    ...createChunkReader(database),
  };
}

function chunksOf(batches: readonly AcceptedBatch[]): AcceptedBatch[][] {
  const chunks: AcceptedBatch[][] = [];
  let room = 0;
  for (const batch of batches) {
    if (batch.samples.length === 0) continue;
    if (room <= 0) {
      chunks.push([]);
      room = CHUNK_SAMPLES;
    }
    chunks.at(-1)?.push(batch);
    room -= batch.samples.length;
  }
  return chunks;
}

function spanOf(samples: readonly Sample[]): { t0: number; t1: number; n: number } | null {
  const first = samples[0];
  if (first === undefined) return null;
  let [t0, t1] = [first.at, first.at];
  for (const { at } of samples) {
    if (at < t0) t0 = at;
    if (at > t1) t1 = at;
  }
  return { t0, t1, n: samples.length };
}
