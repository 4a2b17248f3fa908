import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { TimelineCell, TimelineDocument, TimelineStep } from '../../questions/timeline.ts';
import { HOST } from '../text/host.ts';

const DAY_MS = 24 * 3_600_000;
/** A step with a smaller part of the busiest step's requests is idle. */
const IDLE_SHARE = 0.01;
/** Fewer idle steps in a row are drawn as long as they are. */
const MIN_IDLE = 2;

/** One step of a timeline; every number is null if nothing was measured. */
export interface TimelinePoint {
  readonly at: Date;
  readonly end: Date;
  readonly n: number | null;
  readonly median: number | null;
  readonly mean: number | null;
  readonly p25: number | null;
  readonly p75: number | null;
  readonly p95: number | null;
  /** Has no measured neighbour, so a line cannot show it. */
  readonly alone: boolean;
}

export function timelinePoints({ steps, stepSeconds }: TimelineDocument, cell: TimelineCell): readonly TimelinePoint[] {
  const known = (step: TimelineStep | null | undefined) => step !== null && step !== undefined && step.median !== null;
  return steps.map((start, index) => {
    const step = cell.steps[index] ?? null;
    const at = new Date(start);
    return {
      at,
      end: new Date(at.getTime() + stepSeconds * 1000),
      n: step?.n ?? null,
      median: step?.median ?? null,
      mean: step?.mean ?? null,
      p25: step?.p25 ?? null,
      p75: step?.p75 ?? null,
      p95: step?.p95 ?? null,
      alone: known(step) && !known(cell.steps[index - 1]) && !known(cell.steps[index + 1]),
    };
  });
}

/** What the legend can hide. */
export type TimelineSeries = 'median' | 'mean' | 'band' | 'p95';

/** Top of the axis, for the series that are shown. One slow step must not flatten all the others. */
export function timelineTop(
  points: readonly TimelinePoint[],
  hidden: ReadonlySet<string> = new Set(),
): { readonly top: number; readonly cut: boolean } {
  const largest = (series: TimelineSeries, of: (point: TimelinePoint) => number | null) =>
    hidden.has(series) ? 0.1 : Math.max(0.1, ...points.map((one) => of(one) ?? 0));
  const band = largest('band', ({ p75 }) => p75);
  const median = largest('median', (point) => point.median);
  const p95 = largest('p95', (point) => point.p95);
  const mean = largest('mean', (point) => point.mean);
  const means = hidden.has('mean') ? 0 : typical(points.map((point) => point.mean)) * 2;
  const needed = Math.max(band, median, means);
  // p95 takes room that the others leave. With p95 alone there is nothing that it could flatten.
  const p95Room = needed <= 0.1 ? p95 : Math.min(p95, needed);
  const top = Math.min(Math.max(band, median, mean, p95Room), needed <= 0.1 ? Number.POSITIVE_INFINITY : needed * 2);
  return { top: top * 1.04, cut: Math.max(mean, p95) > top };
}

/** How a chart over time places its steps. */
export interface TimeAxis {
  /** Stretches without requests that are drawn as short as one step. */
  readonly idle: readonly TimeRange[];
  /** The moment at which a moment is drawn, epoch ms. */
  place(at: number): number;
}

/** Compresses nights and weekends, so that the hours with requests have the room; not where steps are days. */
export function timeAxis(points: readonly TimelinePoint[]): TimeAxis {
  const step = points[0] === undefined ? DAY_MS : points[0].end.getTime() - points[0].at.getTime();
  const busiest = Math.max(0, ...points.map(({ n }) => n ?? 0));
  const idle: { from: number; to: number }[] = [];
  for (const { at, end, n } of step < DAY_MS && busiest > 0 ? points : []) {
    if ((n ?? 0) > busiest * IDLE_SHARE) continue;
    const last = idle.at(-1);
    if (last !== undefined && last.to === at.getTime()) last.to = end.getTime();
    else idle.push({ from: at.getTime(), to: end.getTime() });
  }
  const long = idle.filter(({ from, to }) => to - from >= MIN_IDLE * step);
  return {
    idle: long,
    place: (at) =>
      long.reduce((placed, { from, to }) => {
        const within = Math.min(at, to) - from;
        return within <= 0 ? placed : placed - within * (1 - step / (to - from));
      }, at),
  };
}

function typical(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  return known[Math.floor((known.length - 1) / 2)] ?? 0;
}

/** `15 min`, `1 h`, `1 day`. */
export function formatStep(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${seconds / 60} min`;
  if (seconds < 86_400) return `${seconds / 3600} h`;
  return HOST.timeline.days(seconds / 86_400);
}
