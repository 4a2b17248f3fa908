import { Type } from 'typebox';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { ProbeRun } from '../../../shared/wire/browser-status.ts';
import { type AnswerOf, Count, Milliseconds, Moment, object, orNull } from '../answer-schema.ts';

/** One journey as seen from one site, over the runs of a range. */
export const JourneyResult = object({
  journey: Type.String(),
  target: Type.String(),
  /** null if the browsers have no label. */
  site: orNull(Type.String()),
  /** A run is up if each of its steps was done. */
  up: Count,
  down: Count,
  /** Sum of its steps' times, median over the runs that are up and told them. */
  median: orNull(Milliseconds),
  /** The newest failures without a success since; null if the last run is up. */
  broken: orNull(
    object({
      /** The step at which the last run failed, from 1, and the reason. */
      step: Count,
      reason: Type.String(),
      /** When the first of these runs began. */
      since: Moment,
      runs: Count,
    }),
  ),
});
export type JourneyResult = AnswerOf<typeof JourneyResult>;

/** A run of a journey, in any order. */
export interface JourneyRun extends Pick<ProbeRun, 'probe' | 'target' | 'at' | 'steps' | 'stepTimes'> {
  readonly site: string;
}

/** Journeys that are down come first, longest outage first; then those that fail most often. */
export function journeyResults(runs: readonly JourneyRun[]): JourneyResult[] {
  const places = new Map<string, JourneyRun[]>();
  for (const run of runs) {
    if (run.steps.length === 0) continue;
    const id = JSON.stringify([run.probe, run.target, run.site]);
    const own = places.get(id);
    if (own === undefined) places.set(id, [run]);
    else own.push(run);
  }
  const since = ({ broken }: JourneyResult) => (broken === null ? 'up' : broken.since);
  const share = ({ up, down }: JourneyResult) => down / (up + down);
  return [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => resultAt(own))
    .sort((a, b) => since(a).localeCompare(since(b)) || share(b) - share(a));
}

function resultAt(runs: readonly JourneyRun[]): JourneyResult {
  const newest = [...runs].sort((a, b) => b.at - a.at);
  const [last] = newest as [JourneyRun];
  const success = newest.findIndex(isUp);
  const failures = success < 0 ? newest : newest.slice(0, success);
  const first = failures.at(-1);
  const up = newest.filter(isUp);
  const step = last.steps.findIndex((reason) => reason !== null);
  return {
    journey: last.probe,
    target: last.target,
    site: last.site || null,
    up: up.length,
    down: newest.length - up.length,
    median: timeStatistics(exactDistribution(up.flatMap(totalTime)), null)?.median ?? null,
    broken:
      first === undefined
        ? null
        : {
            step: step + 1,
            reason: last.steps[step] ?? '',
            since: new Date(first.at).toISOString(),
            runs: failures.length,
          },
  };
}

function isUp({ steps }: JourneyRun): boolean {
  return steps.every((reason) => reason === null);
}

/** µs; none if a step's time is not known, as of older extensions. */
function totalTime({ stepTimes = [] }: JourneyRun): number[] {
  const known = stepTimes.filter((time) => time !== null);
  return known.length === 0 || known.length < stepTimes.length ? [] : [known.reduce((sum, time) => sum + time, 0)];
}
