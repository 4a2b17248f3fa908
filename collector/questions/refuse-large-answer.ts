import { StoreError } from '../storage/store-error.ts';

/** Groups, or steps of all groups together: nobody reads more, and each takes memory until the answer is sent. */
const MAX_GROUPS = 10_000;
const MAX_GROUP_STEPS = 100_000;

/**
 * Throws StoreError `too_many_groups`: groups that are left out without a word would change what is said of all.
 * @param steps of each group
 */
export function refuseLargeAnswer(groups: number, steps = 1): void {
  if (groups <= MAX_GROUPS && groups * steps <= MAX_GROUP_STEPS) return;
  throw new StoreError(
    'too_many_groups',
    steps === 1 ? `this has ${groups} groups` : `this has ${groups} groups of ${steps} steps each`,
    `At most ${steps === 1 ? MAX_GROUPS : `${MAX_GROUP_STEPS} steps together`}: group by less, or filter.`,
  );
}
