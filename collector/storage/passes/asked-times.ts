import { NULL } from '../../../shared/sample/sample-columns.ts';
import { SUMMARY_TIMES, type SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { TimeMetric } from '../rollups/time-metrics.ts';
import { toMetrics } from './collect-cells.ts';
import type { Within } from './plan-range.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass, TakeValues } from './range-pass.ts';
import type { RowPart } from './row-part.ts';

/** `setup` of new connections; `idle`, the time since the last response from the origin, which only samples have. */
export const ASKABLE_TIMES = [...SUMMARY_TIMES, 'setup', 'idle'] as const;
export type AskableTime = SummaryTime | 'setup' | 'idle';

/** null if no rollup has it. */
export function rolledUp(time: AskableTime): readonly TimeMetric[] | null {
  if (time === 'idle') return null;
  return time === 'setup' ? ['setup'] : toMetrics(time);
}

/** Collects a time by group, from rows alone if no rollup has it. */
export function collectTime(pass: RangePass, time: AskableTime, groups: QueryGroups): TakeValues {
  const metrics = rolledUp(time);
  return metrics === null
    ? pass.collectRows((part) => rowTimes(part, time), groups.groupsOfRows)
    : pass.collect(metrics, groups);
}

/** Values per row, µs, NaN if a row has none; several columns if different rows have their values in different ones. */
export function rowTimes(part: RowPart, time: AskableTime): Float64Array[] {
  const metrics = rolledUp(time);
  if (metrics !== null) return metrics.map((metric) => part.metrics.values(metric));
  const usable = part.metrics.usable();
  return [
    part.columns
      .number('idleMs')
      .map((value, row) => (value === NULL || usable[row] === 0 ? Number.NaN : value * 1000)),
  ];
}

/** Which samples of a range a question is about, besides its filters. */
export interface Selection {
  readonly within: Within;
  /** Replaces each part of its rows, for example with one without outliers; null if rollups may answer. */
  readonly change: ((part: RowPart) => RowPart) | null;
}

export const EVERYTHING: Selection = { within: null, change: null };
