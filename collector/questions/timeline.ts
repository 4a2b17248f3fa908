import { Type } from 'typebox';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import { ASKED_DIMENSIONS, type TimeRange } from '../../shared/vocabulary/dimensions.ts';
import {
  type AnswerOf,
  Count,
  KEY,
  MethodSchema,
  Milliseconds,
  Moment,
  MonthOfBrowsers,
  object,
  orNull,
  words,
} from '../analysis/answer-schema.ts';
import { stepBounds } from '../analysis/time/step-bounds.ts';
import { offset } from '../analysis/time/zoned-time.ts';
import { compareCellKeys } from '../reductions/cell-key.ts';
import { type AskableTime, collectTime, EVERYTHING, rolledUp, type Selection } from '../storage/passes/asked-times.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { toDistribution } from '../storage/passes/collectors.ts';
import { type Within, withinPart } from '../storage/passes/plan-range.ts';
import type { QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';
import { howToOpen, type OpenedRange, type ReadingSource } from '../storage/passes/reading-source.ts';
import { TIME_PARAMETERS } from './histogram.ts';
import { duration, filters, zone } from './parameters.ts';
import { type ComputeMethod, checkSteps } from './query-context.ts';
import { describeMethod, foldedCells, question, refuseLargeAnswer } from './question.ts';
import { LEFT_OUT, topGroups, topReadings } from './top-groups.ts';
import { foldingReadings, foldSmallGroups } from './visibility/fold-small-groups.ts';
import { createVisibility, smallGroups, type ViewerRule } from './visibility/visibility.ts';

const HOUR_MS = 3_600_000;

/** Upper bound on the steps of a range if no step is given. */
const USUAL_STEPS = 96;
const DAY_MS = 24 * HOUR_MS;
const USUAL_STEP_MS = [60_000, 300_000, 900_000, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS] as const;

const MaybeMs = orNull(Milliseconds);
/** Numbers are null only if `reason` says why. */
const Step = object({
  n: orNull(Count),
  browsers: orNull(Count),
  browsersMonth: MonthOfBrowsers,
  median: MaybeMs,
  mean: MaybeMs,
  p25: MaybeMs,
  p75: MaybeMs,
  p95: MaybeMs,
  reason: orNull(words(['few_browsers'])),
});
const Answer = object({
  method: MethodSchema,
  /** Start of each step: multiples of the step, so the first may begin before `from`. */
  steps: Type.Array(Moment),
  stepSeconds: Type.Number(),
  /** A step is null if nothing was measured in it, which is not the same as 0. */
  cells: Type.Array(object({ ...KEY, steps: Type.Array(orNull(Step)) })),
  ...LEFT_OUT,
});
/** `GET /api/v1/timeline`. */
export type TimelineDocument = AnswerOf<typeof Answer>;
export type TimelineCell = TimelineDocument['cells'][number];
export type TimelineStep = AnswerOf<typeof Step>;

export interface TimelinePlan extends StoreQuery, ViewerRule {
  /** Groups at most, those waited for longest; all if null or absent. */
  readonly top?: number | null;
  readonly time: AskableTime;
  readonly stepMs: number;
  /** Time zone in which steps begin, an IANA name; null is UTC. */
  readonly zone: string | null;
}

export const timeline = question({
  name: 'timeline',
  address: '/api/v1/timeline',
  description: 'One time, step by step.',
  parameters: {
    ...TIME_PARAMETERS,
    step: duration('Length of a step; by default one that gives about a hundred'),
    zone: zone('Time zone in which steps begin; default UTC.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query(given) {
    if (given.step !== null) checkSteps(given.range, given.step, 'invalid_parameter');
    return given;
  },
  answer: Answer,
  takesLong: (plan: TimelinePlan) => mayBeFine(plan),
  plan({ step, ...query }, { range, rule }): TimelinePlan {
    const stepMs = step ?? usualStep(range);
    checkSteps(range, stepMs);
    return { ...query, range, stepMs, ...rule };
  },
  asked: (plan) => plan,
  async read(source, { stepMs, zone, ...plan }) {
    const bounds = stepBounds(plan.range, stepMs, zone);
    const { steps, ...rest } = await readSteps(source, { ...plan, bounds });
    return { ...rest, steps: steps.map((at) => new Date(at).toISOString()), stepSeconds: stepMs / 1000 };
  },
});

function usualStep({ from, to }: TimeRange): number {
  return USUAL_STEP_MS.find((step) => (to - from) / step <= USUAL_STEPS) ?? 30 * DAY_MS;
}

/** The plan with its steps: the start of each and the end of the last, ascending epoch ms, covering the range. */
interface SteppedPlan extends Omit<TimelinePlan, 'stepMs' | 'zone'> {
  readonly bounds: readonly number[];
  /** Steps without their number of browsers, which takes most of the time of many long steps. */
  readonly uncounted?: boolean;
}

export interface SteppedAnswer extends ComputeMethod {
  readonly cells: readonly TimelineCell[];
  readonly steps: readonly number[];
  readonly leftOut?: { readonly cells: number; readonly samples: number };
}

/** Whether it may have to be read from samples. Does not visit each step, since it runs on the event loop. */
function mayBeFine(plan: Pick<TimelinePlan, 'range' | 'by' | 'filters' | 'time' | 'stepMs' | 'zone'>) {
  const { range, time, stepMs, zone } = plan;
  if (rolledUp(time) === null || howToOpen(plan) === 'fine' || stepMs < HOUR_MS) return true;
  const ahead = zone === null ? 0 : offset(range.from, zone);
  // When the clock is changed, a step of two hours may last only one.
  return stepMs <= 2 * HOUR_MS && (stepMs % HOUR_MS !== 0 || ahead % HOUR_MS !== 0);
}

/** Whether rollups are too coarse for it. */
function isFine(plan: SteppedPlan): boolean {
  const { time, bounds } = plan;
  if (rolledUp(time) === null || howToOpen(plan) === 'fine') return true;
  return bounds.slice(1).some((bound, i) => {
    const length = bound - (bounds[i] as number);
    // An hour that begins at half past, as in some zones, is in no rollup.
    return length < HOUR_MS || (length < 2 * HOUR_MS && bound % HOUR_MS !== 0);
  });
}

/**
 * One time, step by step. Steps of an hour or more come from rollups, finer ones from the samples. A step without
 * values is null: nothing was measured, which is not the same as 0.
 *
 * @param given the range, if it is already open with this selection
 */
export async function readSteps(
  source: ReadingSource,
  plan: SteppedPlan,
  { within, change }: Selection = EVERYTHING,
  given: OpenedRange | null = null,
): Promise<SteppedAnswer> {
  const opened = given ?? (await openSteps(source, plan, within));
  const { range, by, filters, time, bounds, minGroupSize, top } = plan;
  const all = opened.reader({ lasting: true });
  const asked = all.filtered(filters);
  const whole = change === null ? asked : asked.changed(change);
  const visibility = createVisibility(source, plan, range);
  const folded = await foldSmallGroups(visibility, all, { by, filters });
  const { folding, leftOut } = await topGroups(whole, { by, filters }, folded, top);
  const starts = bounds.slice(0, -1);
  const lines = new Map<
    string,
    { key: QueryGroups['keys'][number]; steps: (TimelineStep | null)[]; counted: number[] }
  >();
  let exact = opened.exact;

  /** Records the results of one step, from a reader restricted to it. */
  async function note(step: number, reader: RangeReader): Promise<void> {
    const pass = reader.pass();
    const groups = pass.groups(by, filters, folding);
    const browsers = plan.uncounted === true ? null : pass.browsers(groups);
    const counted = minGroupSize > 1 ? pass.collectBrowsers(groups, visibility.counted()) : null;
    const take = collectTime(pass, time, groups);
    await pass.run();
    exact &&= reader.exact();
    for (const group of groups.sorted()) {
      const statistics = timeStatistics(toDistribution(take(group)), null);
      if (statistics === null) continue;
      const key = groups.keys[group] ?? {};
      const id = groupId(Object.values(key));
      const line = lines.get(id) ?? { key, steps: starts.map(() => null), counted: [] };
      lines.set(id, line);
      refuseLargeAnswer(lines.size, starts.length);
      const { n, median, mean, p25, p75, p95 } = statistics;
      line.steps[step] = {
        n,
        ...(browsers?.of(group) ?? { browsers: null }),
        median,
        mean,
        p25,
        p75,
        p95,
        reason: null,
      };
      line.counted[step] = counted?.size(group) ?? 0;
    }
  }

  const partOf = (step: number): TimeRange => ({
    from: Math.max(starts[step] as number, range.from),
    to: Math.min(bounds[step + 1] as number, range.to),
  });
  if (opened.fine) await whole.eachStep(starts.length, partOf, within, note);
  else {
    const parts = starts.map((_, step) => partOf(step));
    const readerOf = source.openSteps(
      parts.map((range) => ({ range, within: withinPart(range, within) })),
      plan.exact ? 'exact' : 'sketches',
    );
    for (const step of parts.keys()) await note(step, await readerOf(step));
  }
  if (minGroupSize > 1) for (const line of lines.values()) hideFew(line, minGroupSize);
  const cells = [...lines.values()].sort((a, b) => compareCellKeys(a.key, b.key, by));
  return {
    ...(await describeMethod(opened, foldedCells(folded, minGroupSize), exact)),
    steps: starts,
    cells: cells.map(({ key, steps }) => ({ ...key, steps })),
    ...(leftOut === undefined ? {} : { leftOut }),
  };
}

const FEW: TimelineStep = {
  n: null,
  browsers: null,
  median: null,
  mean: null,
  p25: null,
  p75: null,
  p95: null,
  reason: 'few_browsers',
};

/** A step with too few browsers has this reason, and no numbers; so has a second one, or the total would reveal it. */
function hideFew(
  { steps, counted }: { readonly steps: (TimelineStep | null)[]; readonly counted: readonly number[] },
  below: number,
): void {
  const filled = steps.flatMap((step, position) => (step === null ? [] : [{ position, samples: step.n ?? 0 }]));
  const sized = filled.map(({ position, samples }) => ({ browsers: counted[position] ?? 0, samples }));
  // Distinct browsers of several steps together are not counted: they may be the same few.
  for (const index of smallGroups(sized, below, () => 0)) steps[filled[index]?.position as number] = FEW;
}

function openSteps(source: ReadingSource, plan: SteppedPlan, within: Within): Promise<OpenedRange> {
  const how = isFine(plan) ? 'fine' : howToOpen(plan);
  return source.open(plan.range, how, timelineReadings(plan.minGroupSize) + topReadings(plan.top), within);
}

/** How often `readSteps` reads the range. */
export function timelineReadings(minGroupSize: number): number {
  return 1 + foldingReadings(minGroupSize);
}
