import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { TimelineCell, TimelineStep } from '../analysis/documents/answers.ts';
import { stepBounds } from '../analysis/time/step-bounds.ts';
import { offset } from '../analysis/time/zoned-time.ts';
import { compareCellKeys } from '../reductions/cell-key.ts';
import { sliceColumns } from '../storage/columns/select-rows.ts';
import { toDistribution } from '../storage/passes/cell-aggregate-of.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { createQueryGroups, type QueryGroups } from '../storage/passes/query-groups.ts';
import { createRangeReader, type RangeReader, type RangeSource } from '../storage/passes/range-reader.ts';
import {
  howToOpen,
  type OpenedRange,
  type ReadingSource,
  type Within,
  withinPart,
} from '../storage/passes/reading-source.ts';
import { type ComputeMethod, foldedCells, methodOf } from './compute-method.ts';
import { refuseLargeAnswer } from './refuse-large-answer.ts';
import { type AskableTime, collectTime, rolledUp } from './row-times.ts';
import { EVERYTHING, type Selection } from './selection.ts';
import { foldingReadings, foldSmallGroups } from './viewer/fold-small-groups.ts';
import { type FoldRule, smallGroups } from './viewer/small-groups.ts';
import { createViewer } from './viewer/viewer.ts';

const HOUR_MS = 3_600_000;

export interface TimelineQuestion extends StoreQuery, FoldRule {
  readonly time: AskableTime;
  readonly stepMs: number;
  /** Whose days and hours they are, an IANA name; null is UTC. */
  readonly zone: string | null;
}

/** The same with its steps: where each begins, and where the last one ends: ascending epoch ms, the range within. */
export interface SteppedQuestion extends Omit<TimelineQuestion, 'stepMs' | 'zone'> {
  readonly bounds: readonly number[];
}

interface SteppedAnswer extends ComputeMethod {
  readonly cells: readonly TimelineCell[];
  readonly steps: readonly number[];
}

interface TimelineAnswer extends ComputeMethod {
  /** When each begins, RFC 3339. */
  readonly steps: readonly string[];
  readonly stepSeconds: number;
  readonly cells: readonly TimelineCell[];
}

/** Whether it may have to be read from samples: known without a look at each step, so that the event loop can ask it. */
export function mayBeFine(question: Pick<TimelineQuestion, 'range' | 'by' | 'filters' | 'time' | 'stepMs' | 'zone'>) {
  const { range, time, stepMs, zone } = question;
  if (rolledUp(time) === null || howToOpen(question) === 'fine' || stepMs < HOUR_MS) return true;
  const ahead = zone === null ? 0 : offset(range.from, zone);
  // Where the clock moves, one of two hours may last only one.
  return stepMs <= 2 * HOUR_MS && (stepMs % HOUR_MS !== 0 || ahead % HOUR_MS !== 0);
}

/** Whether rollups are too coarse for it. */
function isFine(question: SteppedQuestion): boolean {
  const { time, bounds } = question;
  if (rolledUp(time) === null || howToOpen(question) === 'fine') return true;
  return bounds.slice(1).some((bound, i) => {
    const length = bound - (bounds[i] as number);
    // An hour that begins at half past, as it does in some zones, is in no rollup.
    return length < HOUR_MS || (length < 2 * HOUR_MS && bound % HOUR_MS !== 0);
  });
}

export function computeTimeline(source: ReadingSource, question: TimelineQuestion): TimelineAnswer {
  const { stepMs, zone, ...asked } = question;
  const stepped = computeSteps(source, { ...asked, bounds: stepBounds(question.range, stepMs, zone) });
  const { steps, cells, ...method } = stepped;
  return { ...method, steps: steps.map((at) => new Date(at).toISOString()), stepSeconds: stepMs / 1000, cells };
}

/**
 * One time, step by step. Steps of an hour and more come from rollups, finer ones from the samples. A step without a
 * value has null: nothing was measured, which is not 0.
 *
 * @param opened where it is open already, with this selection
 */
export function computeSteps(
  source: ReadingSource,
  question: SteppedQuestion,
  { within, change }: Selection = EVERYTHING,
  opened = openSteps(source, question, within),
): SteppedAnswer {
  const { range, by, filters, time, bounds, foldBelow } = question;
  const all = createRangeReader(opened, source.catalog, opened.exact, { lasting: true });
  const asked = all.filtered(filters);
  const whole = change === null ? asked : asked.changed(change);
  const viewer = createViewer(source, question, range);
  const folded = foldSmallGroups(viewer, all, { by, filters });
  const starts = bounds.slice(0, -1);
  const lines = new Map<
    string,
    { key: QueryGroups['keys'][number]; steps: (TimelineStep | null)[]; counted: number[] }
  >();
  let exact = opened.exact;

  /** What comes of one step, of a source that holds nothing else. */
  function note(step: number, rows: RangeSource): void {
    const reader = createRangeReader(rows, source.catalog, opened.exact);
    const groups = createQueryGroups(by, filters, source.catalog, folded.folding);
    const pass = reader.pass();
    const clock = pass.clockSteps(groups);
    const browsers = pass.browsers(groups);
    const counted = foldBelow > 1 ? pass.browsers(groups, viewer.counted()) : null;
    const take = collectTime(pass, time, groups);
    pass.run();
    exact &&= reader.exact();
    for (const group of groups.sorted()) {
      const statistics = timeStatistics(toDistribution(take(group)), clock(group));
      if (statistics === null) continue;
      const key = groups.keys[group] ?? {};
      const id = groupId(Object.values(key));
      const line = lines.get(id) ?? { key, steps: starts.map(() => null), counted: [] };
      lines.set(id, line);
      refuseLargeAnswer(lines.size, starts.length);
      const { n, median, mean, p25, p75, p95 } = statistics;
      line.steps[step] = { n, browsers: browsers.size(group), median, mean, p25, p75, p95, reason: null };
      line.counted[step] = counted?.size(group) ?? 0;
    }
  }

  const partOf = (step: number): TimeRange => ({
    from: Math.max(starts[step] as number, range.from),
    to: Math.min(bounds[step + 1] as number, range.to),
  });
  if (opened.fine) noteRows(whole, starts, partOf, within, note);
  else {
    const how = question.exact ? 'exact' : 'sketches';
    starts.forEach((_, step) => {
      const part = partOf(step);
      note(step, source.openPart(part, how, withinPart(part, within)));
    });
  }
  if (foldBelow > 1) for (const line of lines.values()) hideFew(line, foldBelow);
  const cells = [...lines.values()].sort((a, b) => compareCellKeys(a.key, b.key, by));
  return {
    ...methodOf(opened, foldedCells(folded, foldBelow), exact),
    steps: starts,
    cells: cells.map(({ key, steps }) => ({ ...key, steps })),
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

/** A step of few browsers says so instead of its numbers, and so does another one: the total would tell a single one. */
function hideFew(
  { steps, counted }: { readonly steps: (TimelineStep | null)[]; readonly counted: readonly number[] },
  below: number,
): void {
  const filled = steps.flatMap((step, place) => (step === null ? [] : [{ place, samples: step.n ?? 0 }]));
  const sized = filled.map(({ place, samples }) => ({ browsers: counted[place] ?? 0, samples }));
  // Which browsers are behind several steps together nobody counts: they may be the same few.
  for (const index of smallGroups(sized, below, () => 0)) steps[filled[index]?.place as number] = FEW;
}

function openSteps(source: ReadingSource, question: SteppedQuestion, within: Within): OpenedRange {
  const how = isFine(question) ? 'fine' : howToOpen(question);
  return source.open(question.range, how, timelineReadings(question.foldBelow), within);
}

/** How often `computeSteps` reads the range. */
export function timelineReadings(foldBelow: number): number {
  return 1 + foldingReadings(foldBelow);
}

/**
 * Steps one after the other from samples. Chunks come in the order of their beginning; one that reaches into later steps
 * waits for them, cut to what is left of it, so that only a few are in memory at a time.
 */
function noteRows(
  reader: RangeReader,
  starts: readonly number[],
  partOf: (step: number) => TimeRange,
  within: Within,
  note: (step: number, rows: RangeSource) => void,
): void {
  type Columns = Parameters<typeof sliceColumns>[0];
  let waiting: Columns[] = [];
  let step = 0;

  function finish(upTo: number): void {
    for (; step < starts.length && partOf(step).to <= upTo; step++) {
      const part = partOf(step);
      const inside = waiting.flatMap((columns) => sliceColumns(columns, [part]) ?? []);
      const ranges = withinPart(part, within) ?? [part];
      if (inside.length > 0)
        note(step, {
          blocks: () => [],
          rows: () => inside.map((columns) => ({ columns, ranges, t0: part.from, stored: columns.n, lasting: true })),
        });
      const rest = { from: part.to, to: Number.POSITIVE_INFINITY };
      waiting = waiting.flatMap((columns) => sliceColumns(columns, [rest]) ?? []);
    }
  }

  const pass = reader.pass();
  pass.rows(({ columns, t0 }) => {
    finish(t0);
    waiting.push(columns);
  });
  pass.run();
  finish(Number.POSITIVE_INFINITY);
}
