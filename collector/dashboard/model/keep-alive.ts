import { formatCount, formatShare } from '../../analysis/text/format.ts';

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Requests after a silence of one length, ms: how many found their connection open, and how many paid a new one. */
export interface IdleStep {
  readonly from: number;
  readonly to: number;
  readonly reused: number;
  readonly opened: number;
}

export interface KeepAlive {
  readonly steps: readonly IdleStep[];
  /** Silence from which on most requests pay a new connection, ms; null where none stands out. */
  readonly timeoutMs: number | null;
  /** New connections after a longer silence than that, and all of them. */
  readonly forced: number;
  readonly opened: number;
  /** New connections before anything can have timed out: parallel ones, or ended by the server. */
  readonly early: number;
}

/** Shorter pauses stand together, ms. */
const SHORTEST_MS = 12;
/** Requests on either side of a time-out before it is believed. */
const MIN_REQUESTS = 20;
/** Beyond a time-out hardly any connection is reused, before it hardly any is new. */
const MOSTLY = 0.8;

/** @param opened idle gaps of requests that paid a connection; @param reused of those that did not; edges are shared */
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

/** Pauses below SHORTEST are no pauses: one step for all of them. */
function joinShortest(steps: readonly IdleStep[]): readonly IdleStep[] {
  const short = steps.filter(({ to }) => to <= SHORTEST_MS);
  if (short.length < 2) return steps;
  const { reused, opened } = totals(short);
  return [{ from: 0, to: short.at(-1)?.to ?? SHORTEST_MS, reused, opened }, ...steps.slice(short.length)];
}

/**
 * The edge that parts reused from new best: of all edges with mostly new connections beyond, and mostly kept ones
 * before, the one that puts fewest requests on the wrong side.
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

/** What the gaps say, in words. */
export function describeKeepAlive({ timeoutMs, forced, opened, early }: KeepAlive): string {
  if (opened === 0)
    return 'No request that paid a new connection followed an earlier answer, so no time-out can be seen.';
  if (timeoutMs === null) {
    return `${formatCount(opened)} new connections followed an earlier answer, and no silence parts them from the reused ones: not a keep-alive time-out, rather parallel connections or ones the server ends.`;
  }
  return `After about ${formatGap(timeoutMs)} without a request the connection is gone: ${formatCount(forced)} of ${formatCount(opened)} new connections (${formatShare(forced / opened)}) came after a longer silence. A keep-alive time-out above the pauses of your users would save their handshakes.${early > 0 ? ` ${formatCount(early)} came sooner: opened in parallel, or ended by the server.` : ''}`;
}

/** `800 ms`, `5 s`, `2 min`, `3 h`: rounded as coarsely as a bin is wide. */
export function formatGap(ms: number): string {
  if (ms < 950) return `${formatCount(Math.round(ms / 10) * 10)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.5) return `${Math.round(seconds * 2) / 2} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 95 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
