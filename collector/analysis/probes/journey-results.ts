import { Type } from 'typebox';
import { BreakageSchema } from '../../../shared/journeys/breakage.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { ProbeRun } from '../../../shared/wire/browser-status.ts';
import { type AnswerOf, Count, Milliseconds, Moment, object, orNull, words } from '../answer-schema.ts';
import type { JourneyRules } from './journey-rules.ts';

/** A journey is yellow if a larger share of its runs is over: down, or with a step beyond its threshold. */
const YELLOW_ABOVE = 0.05;
/** It is red from this share on, and while it is down. */
const RED_FROM = 0.5;
const LIGHTS = ['green', 'yellow', 'red'] as const;

const StepResult = object({
  /** Runs that told its time. */
  runs: Count,
  median: orNull(Milliseconds),
  threshold: orNull(Milliseconds),
  /** How many of these runs took longer than the threshold. */
  over: Count,
});

/** The last run that failed. */
const Failure = object({
  at: Moment,
  /** From 1. */
  step: Count,
  reason: Type.String(),
  /** What a recording needed and what the page had instead; null for scripts. */
  broke: orNull(BreakageSchema),
});
export type Failure = AnswerOf<typeof Failure>;

/** One journey as seen from one site, over the runs of a range. */
export const JourneyResult = object({
  journey: Type.String(),
  target: Type.String(),
  /** null if the browsers have no label. */
  site: orNull(Type.String()),
  /** A run is up if each of its steps was done. */
  up: Count,
  down: Count,
  /** Runs that were down, or in which a step took longer than its threshold. */
  over: Count,
  /** null if no step has both times and a threshold, and nothing else makes it yellow or red. */
  light: orNull(words(LIGHTS)),
  /** Sum of those of its steps' times that are known, median over the runs that are up and told any. */
  median: orNull(Milliseconds),
  /** In order, up to the furthest step that a run reached. */
  steps: Type.Array(StepResult),
  /** The newest failures without a success since; null if the last run is up. */
  broken: orNull(
    object({
      ...Failure.properties,
      /** When the first of these runs began. */
      since: Moment,
      runs: Count,
    }),
  ),
  /** Even if others succeeded since; null without any. */
  failed: orNull(Failure),
});
export type JourneyResult = AnswerOf<typeof JourneyResult>;

/** A run of a journey. */
export interface JourneyRun extends Pick<ProbeRun, 'probe' | 'target' | 'at' | 'steps' | 'stepTimes' | 'broke'> {
  readonly client: string;
  readonly site: string;
}

/** One journey at one site. Runs are added one by one: a month may have a million. */
interface Tally extends Pick<JourneyResult, 'up' | 'down' | 'over' | 'broken' | 'failed'> {
  readonly newest: JourneyRun;
  readonly clients: Set<string>;
  /** µs, of runs that are up. */
  readonly totals: number[];
  /** µs, by step. */
  readonly times: number[][];
}

/**
 * Journeys that are down come first, longest outage first; then those that are over most often.
 * @param runs newest first
 * @param isShown whether the browsers that ran a journey at a site are enough to show it
 */
export function journeyResults(
  runs: Iterable<JourneyRun>,
  thresholds: JourneyRules['thresholds'] = {},
  isShown: (journey: string, clients: ReadonlySet<string>) => boolean = () => true,
): JourneyResult[] {
  const places = new Map<string, Tally>();
  for (const run of runs) {
    if (run.steps.length === 0) continue;
    const id = JSON.stringify([run.probe, run.target, run.site]);
    const lists = { clients: new Set<string>(), totals: [], times: [] };
    const before = places.get(id) ?? { newest: run, up: 0, down: 0, over: 0, broken: null, failed: null, ...lists };
    places.set(id, withRun(before, run, thresholds[run.probe]));
  }
  const since = ({ broken }: JourneyResult) => (broken === null ? 'up' : broken.since);
  const share = ({ over, up, down }: JourneyResult) => over / (up + down);
  return [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([, { newest, clients }]) => isShown(newest.probe, clients))
    .map(([, tally]) => toResult(tally, thresholds[tally.newest.probe]))
    .sort((a, b) => since(a).localeCompare(since(b)) || share(b) - share(a));
}

type Thresholds = JourneyRules['thresholds'][string] | undefined;

function withRun(
  tally: Tally,
  { client, at, steps, stepTimes = [], broke }: JourneyRun,
  thresholds: Thresholds,
): Tally {
  const { clients, totals, times, up, down, broken, failed } = tally;
  clients.add(client);
  for (const [index, time] of stepTimes.entries()) {
    times[index] ??= [];
    if (time !== null) times[index].push(time);
  }
  const step = steps.findIndex((reason) => reason !== null) + 1;
  const isSlow = stepTimes.some((time, index) => isOver(time, thresholds?.[index]));
  const over = tally.over + (step > 0 || isSlow ? 1 : 0);
  if (step === 0) {
    // A step that requests nothing has no time; older extensions send none at all.
    const known = stepTimes.filter((time) => time !== null);
    if (known.length > 0) totals.push(known.reduce((sum, time) => sum + time, 0));
    return { ...tally, up: up + 1, over };
  }
  const since = new Date(at).toISOString();
  const last = failed ?? { at: since, step, reason: steps[step - 1] ?? '', broke: broke ?? null };
  return { ...tally, over, down: down + 1, broken: up > 0 ? broken : { ...last, since, runs: down + 1 }, failed: last };
}

/** @param time µs @param threshold ms */
function isOver(time: number | null, threshold: number | null = null): boolean {
  return time !== null && threshold !== null && time > threshold * 1000;
}

function toResult({ newest, up, down, over, broken, failed, totals, times }: Tally, limits: Thresholds): JourneyResult {
  const steps = times.map((own, index) => ({
    runs: own.length,
    median: medianOf(own),
    threshold: limits?.[index] ?? null,
    over: own.filter((time) => isOver(time, limits?.[index])).length,
  }));
  const share = over / (up + down);
  const isCompared = steps.some(({ median, threshold }) => median !== null && threshold !== null);
  const usual = share > YELLOW_ABOVE ? 'yellow' : isCompared ? 'green' : null;
  const light = broken !== null || share >= RED_FROM ? 'red' : usual;
  const place = { journey: newest.probe, target: newest.target, site: newest.site || null };
  return { ...place, up, down, over, light, median: medianOf(totals), steps, broken, failed };
}

function medianOf(times: readonly number[]): number | null {
  return timeStatistics(exactDistribution(times), null)?.median ?? null;
}
