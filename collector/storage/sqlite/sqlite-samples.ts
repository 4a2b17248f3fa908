import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import type { JobPool, JobRunner } from '../../lib/worker-pool.ts';
import type { ClockWatch } from '../clock-watch.ts';
import type { Ingestion } from '../ingestion.ts';
import { toDistribution } from '../passes/collectors.ts';
import type { QuestionJobs } from '../passes/question-jobs.ts';
import type { Reading } from '../passes/reading-source.ts';
import { toCellAggregate } from '../passes/to-cell-aggregate.ts';
import type { AnswerMethod, RequestOptions, SampleStore } from '../store.ts';
import { toGroupWrite } from './group-write.ts';
import { createColumnScan, createScan, type ScanJobs } from './scan-columns.ts';
import type { StoreRunner } from './store-thread.ts';

export interface SampleThreads {
  /** For quick questions. */
  readonly queries: JobPool<QuestionJobs>;
  /** For questions that read many samples, so that no other waits for them. */
  readonly scans: JobPool<QuestionJobs>;
  /** Hands samples out. */
  readonly streams: JobRunner<ScanJobs>;
  readonly writer: StoreRunner<'writer'>;
}

/** @param appended called with the number of samples after they were stored */
export function createSampleStore(
  { queries, scans, streams, writer }: SampleThreads,
  appended: (samples: number) => void,
  clock: Pick<ClockWatch, 'status'>,
): SampleStore {
  const scanColumns = createColumnScan(streams);
  return {
    async append(batches) {
      const { duplicates, samples } = await writer.run('append', [toGroupWrite(batches)]);
      appended(samples);
      return batches.map(({ id }, index) => ({ id, duplicate: duplicates[index] === true }));
    },
    async ingest<B, O>(ingestion: Ingestion<B, O>, bodies: B) {
      const { now, expected } = clock.status();
      const shift = expected === null ? null : expected - now;
      const ingested = await writer.run('ingest', [ingestion as never, bodies, shift]);
      appended(ingested.samples);
      return ingested.outcomes as O;
    },
    async aggregate({ range, filters, by }, { exact = false, ...watch } = {}) {
      const { cells, ...method } = await queries.run('aggregate', [{ range, filters, by, exact }], watch);
      return { ...withBound(method), cells: cells.map(toCellAggregate) };
    },
    async distributions({ range, filters, by, time }, { exact = false, ...watch } = {}) {
      const { cells, ...method } = await queries.run('distributions', [{ range, filters, by, time, exact }], watch);
      const read = cells.map(({ key, values }) => ({ key, values: toDistribution(values) }));
      return { ...withBound(method), cells: read.filter(({ values }) => values.n > 0) };
    },
    read: <Q, A>(reading: Reading<Q, A>, question: Q, watch?: RequestOptions) =>
      (reading.takesLong(question) ? scans : queries).run('read', [reading as never, question], watch) as Promise<A>,
    scan: createScan(scanColumns),
    scanColumns,
  };
}

function withBound(method: Omit<AnswerMethod, 'bound'>): AnswerMethod {
  return { ...method, bound: method.exact ? 0 : SKETCH_BOUND };
}
