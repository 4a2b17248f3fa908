import type { ClockWatch } from '../../collector/storage/clock-watch.ts';

/** A clock that nobody doubts. */
export const BELIEVED: Pick<ClockWatch, 'doubt' | 'hearBrowsers' | 'mayForgetIds' | 'keep'> = {
  doubt: () => null,
  hearBrowsers: () => {},
  mayForgetIds: () => true,
  keep: () => {},
};
