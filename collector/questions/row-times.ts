import { NULL } from '../../shared/sample/sample-columns.ts';
import { SUMMARY_TIMES, type SummaryTime } from '../../shared/vocabulary/time-names.ts';
import { measuresOf } from '../storage/passes/answer-query.ts';
import type { QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass, Taken } from '../storage/passes/range-pass.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import type { Within } from '../storage/passes/within.ts';
import type { Measure } from '../storage/rollups/measures.ts';

/** `setup` of new connections; `idle`, since this browser's last answer from there, is known to samples only. */
export const ASKABLE_TIMES = [...SUMMARY_TIMES, 'setup', 'idle'] as const;
export type AskableTime = SummaryTime | 'setup' | 'idle';

/** null where no rollup has it. */
export function rolledUp(time: AskableTime): readonly Measure[] | null {
  if (time === 'idle') return null;
  return time === 'setup' ? ['setup'] : measuresOf(time);
}

/** Collects a time by group; of one that no rollup has, from rows alone. */
export function collectTime(pass: RangePass, time: AskableTime, groups: QueryGroups): Taken {
  const measures = rolledUp(time);
  return measures === null
    ? pass.collectRows((part) => rowTimes(part, time), groups.groupsOfRows)
    : pass.collect(measures, groups);
}

/** Values per row, µs, NaN where a row has none; several columns where different rows have theirs in different ones. */
export function rowTimes(part: RowPart, time: AskableTime): Float64Array[] {
  const measures = rolledUp(time);
  if (measures !== null) return measures.map((measure) => part.measures.values(measure));
  const usable = part.measures.usable();
  return [
    part.columns
      .number('idleMs')
      .map((value, row) => (value === NULL || usable[row] === 0 ? Number.NaN : value * 1000)),
  ];
}

/** Which samples of a range a question is about, besides its filters. */
export interface Selection {
  readonly within: Within;
  /** Replaces each part of its rows, such as by one without outliers; null where rollups may answer. */
  readonly change: ((part: RowPart) => RowPart) | null;
}

export const EVERYTHING: Selection = { within: null, change: null };
