import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { createAggregator } from '../../../shared/summary/aggregate-samples.ts';
import type { SampleQuery, TimeRange } from '../../../shared/summary/dimensions.ts';
import { matchesFilters } from '../../../shared/summary/sample-dimension.ts';
import type { SampleStore } from '../store.ts';
import { decodeChunk } from './chunk-codec.ts';
import { translating } from './translate-error.ts';

/** After so many samples the event loop gets its turn, so that a long query doesn't hold up ingest. */
const SAMPLES_PER_TURN = 2000;
const MAX_BLOCK = 5000;

interface ChunkPlace {
  readonly id: number;
  readonly t0: number;
}

/** The reading half: everything is answered from chunks, oldest first, and exact. */
export function createChunkReader(database: Database): Pick<SampleStore, 'aggregate' | 'scan'> {
  const inRange = 't1 >= @from AND t0 < @to';
  const places = database.prepare<[TimeRange], ChunkPlace>(`SELECT id, t0 FROM chunk WHERE ${inRange} ORDER BY t0, id`);
  const blob = database.prepare<[number], Buffer>('SELECT blob FROM chunk WHERE id = ?').pluck();
  const batchIds = database.prepare<[TimeRange], string>(`SELECT id FROM batch WHERE ${inRange} ORDER BY id`).pluck();

  /** Reads both lists in one turn of the event loop: chunks that come later belong to neither. */
  const snapshot = (range: TimeRange) =>
    translating(() =>
      database.transaction(() => ({ chunks: places.all(range), dataHash: hashOf(batchIds.iterate(range)) }))(),
    );

  async function* matching(chunks: readonly ChunkPlace[], { range, filters }: SampleQuery) {
    let sinceTurn = 0;
    for (const { id } of chunks) {
      const stored = translating(() => blob.get(id));
      // Only retention and erasure remove a chunk, and then its samples must not be told any more.
      const samples = stored === undefined ? [] : decodeChunk(stored);
      sinceTurn += samples.length;
      if (sinceTurn >= SAMPLES_PER_TURN) {
        sinceTurn = 0;
        await setImmediate();
      }
      yield samples.filter(({ at }) => at >= range.from && at < range.to).filter((s) => matchesFilters(s, filters));
    }
  }

  return {
    async aggregate(query) {
      const { chunks, dataHash } = snapshot(query.range);
      const aggregator = createAggregator(query.by);
      for await (const samples of matching(chunks, query)) for (const sample of samples) aggregator.add(sample);
      return { exact: true, bound: 0, dataHash, cells: aggregator.cells() };
    },

    async *scan(query) {
      const { chunks } = snapshot(query.range);
      let waiting: StoredSample[] = [];
      let read = 0;
      for await (const samples of matching(chunks, query)) {
        waiting = waiting.concat(samples).sort((a, b) => a.at - b.at);
        read += 1;
        // Late samples make chunks overlap: what is younger than the next chunk's start may not be its turn yet.
        const next = chunks[read]?.t0 ?? Infinity;
        const due = waiting.findIndex(({ at }) => at >= next);
        const block = due === -1 ? waiting : waiting.slice(0, due);
        waiting = due === -1 ? [] : waiting.slice(due);
        for (let start = 0; start < block.length; start += MAX_BLOCK) yield block.slice(start, start + MAX_BLOCK);
      }
    },
  };
}

function hashOf(ids: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const id of ids) hash.update(id).update('\n');
  return hash.digest('hex');
}
