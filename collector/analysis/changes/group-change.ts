import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';

export const CHANGE_STATISTICS = ['median', 'mean'] as const;
export type ChangeStatistic = (typeof CHANGE_STATISTICS)[number];
export const CHANGE_DIRECTIONS = ['slower', 'faster'] as const;

/** From which day a daily value of a group lastingly differs. Times are ms. */
export interface GroupChange extends CellKey {
  /** Of each day. */
  readonly statistic: ChangeStatistic;
  /** First day with the new level, a date of the zone asked for. */
  readonly since: string;
  /** In which the first day lies. */
  readonly sinceInterval: readonly [string, string];
  readonly direction: (typeof CHANGE_DIRECTIONS)[number];
  readonly before: number;
  readonly after: number;
  /** After less before, with its 95 % interval. */
  readonly difference: number;
  readonly interval: readonly [number, number];
  /** Of a group without any change. */
  readonly pValue: number;
  /** With the new level: until the next change, or until now. */
  readonly requests: number;
}

/** What users waited longer, or shorter, because of it. */
export function changedWait({ difference, requests }: Pick<GroupChange, 'difference' | 'requests'>): number {
  return Math.abs(difference) * requests;
}
