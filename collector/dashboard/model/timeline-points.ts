import type { TimelineCell, TimelineDocument, TimelineStep } from '../../questions/timeline.ts';
import { t } from '../text/t.ts';

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

/** Top of the axis. One slow step must not flatten all the others. */
export function timelineTop(points: readonly TimelinePoint[]): { readonly top: number; readonly cut: boolean } {
  const largest = (of: (point: TimelinePoint) => number | null) => Math.max(0.1, ...points.map((one) => of(one) ?? 0));
  const needed = Math.max(
    largest(({ p75 }) => p75),
    largest(({ median }) => median),
    typical(points.map(({ mean }) => mean)) * 2,
  );
  const wanted = Math.max(
    largest(({ p95 }) => p95),
    largest(({ mean }) => mean),
  );
  const top = Math.min(wanted, needed * 2);
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
  return t.charts.timeline.days(seconds / 86_400);
}
