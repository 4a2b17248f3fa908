import type { Distribution } from '../../shared/statistics/distribution.ts';
import { logHistogram } from '../../shared/statistics/log-histogram.ts';
import { peaks } from '../../shared/statistics/peaks.ts';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import type { HistogramCell } from '../analysis/documents/answers.ts';
import { toDistribution } from '../storage/passes/cell-aggregate-of.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { createQueryGroups } from '../storage/passes/query-groups.ts';
import { createRangeReader } from '../storage/passes/range-reader.ts';
import { howToOpen, type ReadingSource } from '../storage/passes/reading-source.ts';
import { type ComputeMethod, foldedCells, methodOf } from './compute-method.ts';
import { refuseLargeAnswer } from './refuse-large-answer.ts';
import { type AskableTime, collectTime, rolledUp } from './row-times.ts';
import { foldingReadings, foldSmallGroups } from './viewer/fold-small-groups.ts';
import type { FoldRule } from './viewer/small-groups.ts';
import { createViewer } from './viewer/viewer.ts';

export interface HistogramQuestion extends StoreQuery, FoldRule {
  readonly time: AskableTime;
}

/** Counts on a logarithmic axis for every group that has a value, with its marks and peaks. */
export function computeHistogram(
  source: ReadingSource,
  question: HistogramQuestion,
): ComputeMethod & { readonly cells: readonly HistogramCell[] } {
  const { range, by, filters, time, foldBelow } = question;
  const measures = rolledUp(time);
  const opened = source.open(range, measures === null ? 'fine' : howToOpen(question), 1 + foldingReadings(foldBelow));
  const all = createRangeReader(opened, source.catalog, opened.exact);
  const reader = all.filtered(filters);
  const folded = foldSmallGroups(createViewer(source, question, range), all, { by, filters });
  const groups = createQueryGroups(by, filters, source.catalog, folded.folding);
  const pass = reader.pass();
  const clock = pass.clockSteps(groups);
  const browsers = pass.browsers(groups);
  const take = collectTime(pass, time, groups);
  pass.run();
  refuseLargeAnswer(groups.keys.length);
  const cells = groups.sorted().flatMap((group): HistogramCell[] => {
    const values = toDistribution(take(group));
    const clockStep = clock(group);
    const statistics = timeStatistics(values, time === 'idle' ? null : clockStep);
    if (statistics === null) return [];
    return [
      {
        ...groups.keys[group],
        browsers: browsers.size(group),
        statistics,
        bins: binsOf(values),
        peaks: peaks(values, clockStep ?? 0)?.map((peak) => ({ ...peak, at: peak.at / 1000 })) ?? null,
      },
    ];
  });
  return { ...methodOf(opened, foldedCells(folded, foldBelow), reader.exact()), cells };
}

function binsOf(values: Distribution): HistogramCell['bins'] {
  return logHistogram(values).map(({ from, to, count }) => ({ from: from / 1000, to: to / 1000, count }));
}
