import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import type { EncodedChunk } from '../chunk/encode-chunk.ts';
import { encodeHotChunk } from '../chunk/hot-chunk.ts';
import { cellAggregateOf, toDistribution } from '../query/cell-aggregate-of.ts';
import { takesLong } from '../query/compute/computations.ts';
import type { AcceptedBatch, AnswerMethod, SampleStore, Watch } from '../store.ts';
import type { BatchWrite } from './append-group.ts';
import type { JobRunner } from './job-runner.ts';
import { createScan } from './scan-chunks.ts';
import { createColumnScan } from './scan-columns.ts';

/**
 * @param scans for what reads many samples, so that nobody else waits for it; `streams` for what hands them out
 * @param appended told how many samples were stored, after they were
 */
export function createSampleStore(
  { queries, scans, streams, writer }: Readonly<Record<'queries' | 'scans' | 'streams' | 'writer', JobRunner>>,
  appended: (samples: number) => void,
): SampleStore {
  const scanColumns = createColumnScan(streams);
  return {
    async append(batches) {
      const group = { batches: batches.map(withoutColumns), chunk: chunkOf(batches) };
      const { duplicates, samples } = await writer.run('append', [group]);
      appended(samples);
      return batches.map(({ id }, place) => ({ id, duplicate: duplicates[place] === true }));
    },
    async aggregate({ range, filters, by }, { exact = false, signal } = {}) {
      const { cells, ...method } = await queries.run('aggregate', [{ range, filters, by, exact }], watching(signal));
      return { ...withBound(method), cells: cells.map(cellAggregateOf) };
    },
    async distributions({ range, filters, by, time }, { exact = false, signal } = {}) {
      const { cells, ...method } = await queries.run(
        'distributions',
        [{ range, filters, by, time, exact }],
        watching(signal),
      );
      const read = cells.map(({ key, values }) => ({ key, values: toDistribution(values) }));
      return { ...withBound(method), cells: read.filter(({ values }) => values.n > 0) };
    },
    compute: (name, question, watch) =>
      (takesLong(name, question) ? scans : queries).run('compute', [name, question], watch) as never,
    scan: createScan(scanColumns),
    scanColumns,
  };
}

function watching(signal: AbortSignal | undefined): Watch {
  return signal === undefined ? {} : { signal };
}

function withoutColumns({ columns, ...batch }: AcceptedBatch): BatchWrite {
  return { ...batch, n: columns.n };
}

function chunkOf(batches: readonly AcceptedBatch[]): EncodedChunk | null {
  const filled = batches.filter(({ columns }) => columns.n > 0);
  return filled.length === 0 ? null : encodeHotChunk(filled);
}

function withBound(method: Omit<AnswerMethod, 'bound'>): AnswerMethod {
  return { ...method, bound: method.exact ? 0 : SKETCH_BOUND };
}
