import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import { type ComputationName, type Question, takesLong } from '../../questions/computations.ts';
import type { ClockWatch } from '../clock-watch.ts';
import { cellAggregateOf, toDistribution } from '../passes/cell-aggregate-of.ts';
import type { AnswerMethod, SampleStore } from '../store.ts';
import type { JobRunner } from '../workers/job-runner.ts';
import { createBodyRooms } from './body-rooms.ts';
import { createScan } from './scan-chunks.ts';
import { createColumnScan } from './scan-columns.ts';
import { groupOf } from './take-in.ts';

/**
 * @param scans for what reads many samples, so that nobody else waits for it; `streams` for what hands them out
 * @param appended told how many samples were stored, after they were
 */
export function createSampleStore(
  { queries, scans, streams, writer }: Readonly<Record<'queries' | 'scans' | 'streams' | 'writer', JobRunner>>,
  appended: (samples: number) => void,
  clock: Pick<ClockWatch, 'shiftToExpected' | 'hear' | 'putOff'>,
): SampleStore {
  const scanColumns = createColumnScan(streams);
  const rooms = createBodyRooms();
  const laneOf = <K extends ComputationName>(name: K, question: Question<K>) =>
    takesLong(name, question) ? scans : queries;
  return {
    async append(batches) {
      const { duplicates, samples } = await writer.run('append', [groupOf(batches)]);
      appended(samples);
      return batches.map(({ id }, place) => ({ id, duplicate: duplicates[place] === true }));
    },
    async takeIn(bodies) {
      const group = rooms.fill(bodies);
      const outcomes = await writer
        .run('takeIn', [group, clock.shiftToExpected()])
        .finally(() => rooms.giveBack(group));
      appended(outcomes.reduce((sum, outcome) => sum + (outcome?.ok ? outcome.answer.accepted : 0), 0));
      for (const outcome of outcomes) {
        if (outcome?.ok === false && outcome.code === 'clock_in_doubt') clock.putOff();
        if (outcome?.heard !== undefined) clock.hear(outcome.heard);
      }
      return outcomes;
    },
    async aggregate({ range, filters, by }, { exact = false, ...watch } = {}) {
      const { cells, ...method } = await queries.run('aggregate', [{ range, filters, by, exact }], watch);
      return { ...withBound(method), cells: cells.map(cellAggregateOf) };
    },
    async distributions({ range, filters, by, time }, { exact = false, ...watch } = {}) {
      const { cells, ...method } = await queries.run('distributions', [{ range, filters, by, time, exact }], watch);
      const read = cells.map(({ key, values }) => ({ key, values: toDistribution(values) }));
      return { ...withBound(method), cells: read.filter(({ values }) => values.n > 0) };
    },
    compute: (name, question, watch) => laneOf(name, question).run('compute', [name, question], watch) as never,
    write: (name, question, watch) => laneOf(name, question).run('write', [name, question], watch) as never,
    scan: createScan(scanColumns),
    scanColumns,
  };
}

function withBound(method: Omit<AnswerMethod, 'bound'>): AnswerMethod {
  return { ...method, bound: method.exact ? 0 : SKETCH_BOUND };
}
