import { DEFAULT_WARMUPS, requestsFor } from './sequence-request.ts';

/** Cap that no setting can exceed, for one browser and all its probes together. */
export const MAX_REQUESTS_PER_HOUR = 1_000;
export const DEFAULT_REQUESTS_PER_HOUR = 120;
/** Fewer than `lastbyte probe` makes: the fleet adds up. */
export const SCHEDULED_REPETITIONS = 5;

const HOUR_MS = 3_600_000;

/** What the budget needs to know about a scheduled probe. */
export interface Budgeted {
  readonly everyMinutes: number;
  readonly repetitions?: number;
  readonly steps?: readonly unknown[];
  readonly recording?: { readonly steps: readonly unknown[] };
}

/**
 * The most requests of one run, including those that do not turn out as intended. A recording counts one for each step: its pages
 * request as much as a user's.
 */
export function countRequests({ repetitions = SCHEDULED_REPETITIONS, steps, recording }: Budgeted): number {
  return (steps ?? recording?.steps)?.length ?? requestsFor(repetitions, DEFAULT_WARMUPS);
}

/** The most requests an hour of a browser that runs all of them: the sum that a budget has to cover. */
export function countRequestsPerHour(schedule: readonly Budgeted[]): number {
  return schedule.reduce((sum, probe) => sum + countRequests(probe) * Math.ceil(60 / probe.everyMinutes), 0);
}

/** Requests of one probe run that began at `at`, epoch ms. */
export interface Spent {
  readonly at: number;
  readonly requests: number;
}

/** What still counts at `now`; after an hour it is dropped. If the clock was set back, it counts for the hour. */
export function stillSpent(spent: readonly Spent[], now: number): Spent[] {
  return spent.filter(({ at }) => Math.abs(now - at) < HOUR_MS);
}

export function leftToSpend(spent: readonly Spent[], perHour: number, now: number): number {
  const most = Math.min(perHour, MAX_REQUESTS_PER_HOUR);
  return Math.max(0, most - stillSpent(spent, now).reduce((sum, { requests }) => sum + requests, 0));
}
