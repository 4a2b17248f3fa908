import { timeStatistics } from '../../../../shared/statistics/time-statistics.ts';
import type { TimelineCell, TimelineStep } from '../../../../shared/summary/answers.ts';
import { compareCellKeys } from '../../../../shared/summary/cell-key.ts';
import type { TimeRange } from '../../../../shared/summary/dimensions.ts';
import { sliceColumns } from '../../chunk/slice-columns.ts';
import { readCounters, toDistribution } from '../cell-aggregate-of.ts';
import { groupId } from '../cell-groups.ts';
import { exactCollector, type PlainDistribution } from '../collectors.ts';
import { foldSmallGroups } from '../fold-small-groups.ts';
import type { PlainQuery } from '../plain-answer.ts';
import { createQueryGroups, type QueryGroups } from '../query-groups.ts';
import { createRangeReader, type RangeReader, type RangeSource } from '../range-reader.ts';
import type { RowPart } from '../row-part.ts';
import { type ComputeMethod, type ComputeSource, foldedCells, methodOf } from './compute-source.ts';
import { type AskableTime, rolledUp, rowTimes } from './row-times.ts';

const HOUR_MS = 3_600_000;

export interface TimelineQuestion extends PlainQuery {
  readonly time: AskableTime;
  readonly stepMs: number;
  readonly foldBelow: number;
}

/** Whether rollups are too coarse for it. */
export function isFine({ time, stepMs }: Pick<TimelineQuestion, 'time' | 'stepMs'>): boolean {
  return rolledUp(time) === null || stepMs % HOUR_MS !== 0;
}

/**
 * One time in steps that begin at multiples of `stepMs`. Steps of whole hours come from rollups, finer ones from the
 * samples. A step without a value has null: nothing was measured, which is not 0.
 */
export function computeTimeline(
  source: ComputeSource,
  question: TimelineQuestion,
): ComputeMethod & { readonly cells: readonly TimelineCell[]; readonly steps: readonly number[] } {
  const { range, by, filters, time, stepMs, foldBelow } = question;
  const measures = rolledUp(time);
  const opened = source.open(range, isFine(question) ? 'fine' : question.exact ? 'exact' : 'sketches');
  const whole = createRangeReader(opened, source.catalog, opened.exact);
  const folded = foldSmallGroups(whole, { by, filters }, source.catalog, foldBelow);
  const newGroups = () => createQueryGroups(by, filters, source.catalog, folded.folding);
  const starts = stepsOf(range, stepMs);
  const lines = new Map<string, { key: QueryGroups['keys'][number]; steps: (TimelineStep | null)[] }>();

  function note(step: number, reader: RangeReader, groups: QueryGroups, take: (group: number) => PlainDistribution) {
    const clocks = reader.count(groups);
    const browsers = reader.browsers(groups);
    for (const group of groups.sorted()) {
      const statistics = timeStatistics(
        toDistribution(take(group)),
        readCounters([...(clocks[group] ?? [])]).clockStep,
      );
      if (statistics === null) continue;
      const key = groups.keys[group] ?? {};
      const id = groupId(Object.values(key));
      const line = lines.get(id) ?? { key, steps: starts.map(() => null) };
      lines.set(id, line);
      const few = (browsers[group]?.size ?? 0) < foldBelow;
      const { n, median, mean, p25, p75, p95 } = statistics;
      line.steps[step] = few
        ? { n: null, browsers: null, median: null, mean: null, p25: null, p75: null, p95: null, reason: 'few_browsers' }
        : { n, browsers: browsers[group]?.size ?? 0, median, mean, p25, p75, p95, reason: null };
    }
  }

  const within = rowsWithin(whole.parts);
  starts.forEach((start, step) => {
    const part = { from: Math.max(start, range.from), to: Math.min(start + stepMs, range.to) };
    const rows = opened.fine ? within(part) : source.openPart(part, question.exact ? 'exact' : 'sketches');
    const reader = createRangeReader(rows, source.catalog, opened.exact);
    const groups = newGroups();
    const collector = exactCollector();
    for (const part of measures === null ? reader.parts : []) {
      for (const values of rowTimes(part, time)) collector.addRows(values, groups.groupsOfRows(part));
    }
    const take = measures === null ? collector.take : reader.collect(measures, { by, filters }, groups).take;
    note(step, reader, groups, take);
  });
  const cells = [...lines.values()].sort((a, b) => compareCellKeys(a.key, b.key, by));
  return {
    ...methodOf(opened, foldedCells(folded, foldBelow)),
    steps: starts,
    cells: cells.map(({ key, steps }) => ({ ...key, steps })),
  };
}

function stepsOf({ from, to }: TimeRange, stepMs: number): number[] {
  const first = Math.floor(from / stepMs);
  return Array.from({ length: Math.ceil(to / stepMs) - first }, (_, i) => (first + i) * stepMs);
}

/** Of rows in memory, those of a step; chunks that lie elsewhere are not looked at. */
function rowsWithin(parts: readonly RowPart[]): (range: TimeRange) => RangeSource {
  const spans = parts.map(({ columns }) => ({ columns, ...spanOf(columns.at()) }));
  return (range) => ({
    packs: () => [],
    *rows() {
      for (const { columns, first, last } of spans) {
        if (last < range.from || first >= range.to) continue;
        const slice = sliceColumns(columns, [range]);
        if (slice !== null) yield { columns: slice, ranges: [range] };
      }
    },
  });
}

function spanOf(at: Float64Array): { first: number; last: number } {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const time of at) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  return { first, last };
}
