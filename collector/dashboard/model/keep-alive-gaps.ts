import { formatCount, formatShare } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Requests after pauses of a similar length, ms, on reused and on new connections. */
export interface IdleStep {
  readonly from: number;
  readonly to: number;
  readonly reused: number;
  readonly opened: number;
}

export interface KeepAlive {
  readonly steps: readonly IdleStep[];
  /** Pause from which most requests need a new connection, ms; null if there is no such edge. */
  readonly timeoutMs: number | null;
  /** New connections after a longer pause, and all of them. */
  readonly forced: number;
  readonly opened: number;
  /** New connections before the timeout: parallel ones, or closed by the server. */
  readonly early: number;
}

/** Shorter pauses are joined in one step, ms. */
const SHORTEST_MS = 12;
/** Minimum number of requests on either side of a timeout. */
const MIN_REQUESTS = 20;
/** Minimum share of new connections after a timeout, and of reused ones before it. */
const MOSTLY = 0.8;

/** @param opened idle gaps of requests on new connections; @param reused on reused ones; with the same bin edges */
export function keepAlive(opened: readonly Bin[], reused: readonly Bin[]): KeepAlive {
  const steps = new Map<number, { from: number; to: number; reused: number; opened: number }>();
  const note = (bins: readonly Bin[], kind: 'reused' | 'opened') => {
    for (const { from, to, count } of bins) {
      const step = steps.get(from) ?? { from, to, reused: 0, opened: 0 };
      step[kind] += count;
      steps.set(from, step);
    }
  };
  note(opened, 'opened');
  note(reused, 'reused');
  const sorted = joinShortest([...steps.values()].sort((one, other) => one.from - other.from));
  const timeoutMs = timeoutOf(sorted);
  const sum = (of: readonly IdleStep[]) => of.reduce((total, step) => total + step.opened, 0);
  const all = sum(sorted);
  const late = timeoutMs === null ? 0 : sum(sorted.filter(({ from }) => from >= timeoutMs));
  return { steps: sorted, timeoutMs, forced: late, opened: all, early: all - late };
}

/** One step for all pauses below SHORTEST_MS, which are not real pauses. */
function joinShortest(steps: readonly IdleStep[]): readonly IdleStep[] {
  const short = steps.filter(({ to }) => to <= SHORTEST_MS);
  if (short.length < 2) return steps;
  const { reused, opened } = totals(short);
  return [{ from: 0, to: short.at(-1)?.to ?? SHORTEST_MS, reused, opened }, ...steps.slice(short.length)];
}

/**
 * The edge that best separates reused from new connections: of all edges with mostly new ones after and mostly reused
 * ones before, the one with the fewest requests on the wrong side.
 */
function timeoutOf(steps: readonly IdleStep[]): number | null {
  let best: number | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [index, { from }] of steps.entries()) {
    const before = totals(steps.slice(0, index));
    const after = totals(steps.slice(index));
    if (before.all < MIN_REQUESTS || after.all < MIN_REQUESTS) continue;
    if (before.reused / before.all < MOSTLY || after.opened / after.all < MOSTLY) continue;
    const wrong = before.opened + after.reused;
    if (wrong >= fewest) continue;
    best = from;
    fewest = wrong;
  }
  return best;
}

function totals(steps: readonly IdleStep[]) {
  const reused = steps.reduce((sum, step) => sum + step.reused, 0);
  const opened = steps.reduce((sum, step) => sum + step.opened, 0);
  return { reused, opened, all: reused + opened };
}

/** As long as most servers keep an idle connection: nothing that the server should change, ms. */
const LONG_MS = 60_000;

/** The result as text. */
export function describeKeepAlive({ timeoutMs, forced, opened, early }: KeepAlive): string {
  if (opened === 0) return HOST.pauses.noneOpened;
  if (timeoutMs === null) return HOST.pauses.noTimeout(opened);
  if (timeoutMs >= LONG_MS) {
    return HOST.pauses.longTimeout(formatGap(timeoutMs), forced, opened, formatShare(forced / opened));
  }
  return HOST.pauses.timeout(formatGap(timeoutMs), forced, opened, formatShare(forced / opened), early);
}

/** `800 ms`, `5 s`, `2 min`, `3 h`: rounded to about a bin's width. */
export function formatGap(ms: number): string {
  if (ms < 950) return `${formatCount(Math.round(ms / 10) * 10)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.5) return `${t.numbers.upTo(Math.round(seconds * 2) / 2, 1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 95 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
