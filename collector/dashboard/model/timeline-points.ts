import type { TimelineCell, TimelineDocument, TimelineStep } from '../../questions/timeline.ts';
import { HOST } from '../text/host.ts';

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
  const wanted = Math.max(band, median, p95, mean);
  // With p95 alone there is nothing that it could flatten.
  const top = needed > 0.1 ? Math.min(wanted, needed * 2) : wanted;
  return { top: top * 1.04, cut: wanted > top };
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
