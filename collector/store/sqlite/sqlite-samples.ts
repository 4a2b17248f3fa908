import type { Database } from 'better-sqlite3';
import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import { encodeHotChunk } from '../chunk/hot-chunk.ts';
import { cellAggregateOf, toDistribution } from '../query/cell-aggregate-of.ts';
import { takesLong } from '../query/compute/computations.ts';
import type { AcceptedBatch, AnswerMethod, AppendOutcome, SampleStore } from '../store.ts';
import { createHearing } from './hear-of-browser.ts';
import type { JobRunner } from './job-runner.ts';
import { createScan } from './scan-chunks.ts';
import { createColumnScan } from './scan-columns.ts';
import { translating } from './translate-error.ts';

/** Upkeep forgets ids of batches that were received long ago; a recording may be imported again after years. */
const NEVER_FORGOTTEN = Number.MAX_SAFE_INTEGER;

/**
 * @param scans for what reads many samples, so that nobody else waits for it
 * @param appended told how many samples were stored, after they were
 */
export function createSampleStore(
  database: Database,
  { queries, scans }: { readonly queries: JobRunner; readonly scans: JobRunner },
  appended: (samples: number) => void,
): SampleStore {
  const insertBatch = database.prepare(
    'INSERT OR IGNORE INTO batch (id, received_at, clock_correction) VALUES (?, ?, ?)',
  );
  const insertChunk = database.prepare('INSERT INTO chunk (t0, t1, n, bytes) VALUES (@t0, @t1, @n, @bytes)');
  const hearOf = createHearing(database);
  const insertPending = database.prepare('INSERT INTO pending VALUES (?)');

  const append = database.transaction((batches: readonly AcceptedBatch[]) => {
    const fresh: AcceptedBatch[] = [];
    const outcomes = batches.map((batch): AppendOutcome => {
      const { id, receivedAt, clockCorrection, columns } = batch;
      if (batch.imported !== true) hearOf(batch);
      const remembered = batch.imported === true ? NEVER_FORGOTTEN : receivedAt;
      const duplicate = insertBatch.run(batchKey(id), remembered, clockCorrection).changes === 0;
      if (!duplicate && columns.n > 0) fresh.push(batch);
      return { id, duplicate };
    });
    const samples = fresh.reduce((sum, { columns }) => sum + columns.n, 0);
    if (samples > 0) insertPending.run(insertChunk.run(encodeHotChunk(fresh)).lastInsertRowid);
    return { outcomes, samples };
  });

  return {
    async append(batches) {
      const { outcomes, samples } = translating(() => append.immediate(batches));
      appended(samples);
      return outcomes;
    },
    async aggregate({ range, filters, by }, { exact = false, signal } = {}) {
      const { cells, ...method } = await queries.run('aggregate', [{ range, filters, by, exact }], signal);
      return { ...withBound(method), cells: cells.map(cellAggregateOf) };
    },
    async distributions({ range, filters, by, time }, { exact = false, signal } = {}) {
      const { cells, ...method } = await queries.run('distributions', [{ range, filters, by, time, exact }], signal);
      const read = cells.map(({ key, values }) => ({ key, values: toDistribution(values) }));
      return { ...withBound(method), cells: read.filter(({ values }) => values.n > 0) };
    },
    compute: (name, question, signal) =>
      (takesLong(name, question) ? scans : queries).run('compute', [name, question], signal) as never,
    scan: createScan(database.name),
    scanColumns: createColumnScan(database.name),
  };
}

/** A UUID in half the room of its text. */
function batchKey(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function withBound(method: Omit<AnswerMethod, 'bound'>): AnswerMethod {
  return { ...method, bound: method.exact ? 0 : SKETCH_BOUND };
}
