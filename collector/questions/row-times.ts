import { NULL } from '../../shared/sample/sample-columns.ts';
import { SUMMARY_TIMES, type SummaryTime } from '../../shared/vocabulary/time-names.ts';
import { metricsOf } from '../storage/passes/collect-cells.ts';
import type { QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass, TakeValues } from '../storage/passes/range-pass.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import type { TimeMetric } from '../storage/rollups/time-metrics.ts';

/** `setup` of new connections; `idle`, since this browser's last answer from there, is known to samples only. */
export const ASKABLE_TIMES = [...SUMMARY_TIMES, 'setup', 'idle'] as const;
export type AskableTime = SummaryTime | 'setup' | 'idle';

/** null where no rollup has it. */
export function rolledUp(time: AskableTime): readonly TimeMetric[] | null {
  if (time === 'idle') return null;
  return time === 'setup' ? ['setup'] : metricsOf(time);
}

/** Collects a time by group; of one that no rollup has, from rows alone. */
export function collectTime(pass: RangePass, time: AskableTime, groups: QueryGroups): TakeValues {
  const measures = rolledUp(time);
  return measures === null
    ? pass.collectRows((part) => rowTimes(part, time), groups.groupsOfRows)
    : pass.collect(measures, groups);
}

/** Values per row, µs, NaN where a row has none; several columns where different rows have theirs in different ones. */
export function rowTimes(part: RowPart, time: AskableTime): Float64Array[] {
  const measures = rolledUp(time);
  if (measures !== null) return measures.map((measure) => part.metrics.values(measure));
  const usable = part.metrics.usable();
  return [
    part.columns
      .number('idleMs')
      .map((value, row) => (value === NULL || usable[row] === 0 ? Number.NaN : value * 1000)),
  ];
}
