import type { ClockWatch } from '../../collector/storage/clock-watch.ts';

/** A clock that is not doubted. */
export const BELIEVED: Pick<ClockWatch, 'doubt' | 'countVotes' | 'mayForgetIds' | 'keep'> = {
  doubt: () => null,
  countVotes: () => {},
  mayForgetIds: () => true,
  keep: () => {},
};
