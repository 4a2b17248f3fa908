import { performance as eventLoop } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoadCounts } from '../../analysis/load/load-counts.ts';
import type { LoadStop } from '../../analysis/load/load-points.ts';
import type { LoadedRequest, LoadScenario } from '../../analysis/load/loaded-request.ts';
import { UNFINISHED, type VirtualUser } from './virtual-user.ts';

export interface LoadPlan {
  readonly scenarios: readonly LoadScenario[];
  readonly users: number;
  /** From the first user's start to the last one's. */
  readonly rampMs: number;
  /** Pause of a user after each answer, drawn between the two. */
  readonly thinkMs: readonly [least: number, most: number];
  /** Each scenario begins with so much that is left out; 0 leaves out nothing. */
  readonly warmupMs: number;
  /** How much of each scenario is measured: requests, or ms if `count` is null. */
  readonly count: number | null;
  readonly durationMs: number;
  /** Requests a second that begin whether or not others have ended; null if each user waits for the answer. */
  readonly rate: number | null;
}

export interface LoadEdges {
  readonly user: (refused: () => void) => VirtualUser;
  readonly random: () => number;
  /** Ends the run; what there is so far is kept. */
  readonly signal: AbortSignal;
  /** Called around each measured part. */
  readonly began?: (scenario: LoadScenario) => Promise<void>;
  readonly ended?: (scenario: LoadScenario) => Promise<void>;
  /** Called for each request. */
  readonly progress?: (counts: LoadCounts, share: number) => void;
}

export interface LoadRun {
  /** Share of the measured time for which this process computed: near 1, it measured itself. */
  readonly busy: number;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly counts: readonly LoadCounts[];
  /** A uniform random sample of the measured requests, no larger than MAX_DRAWN. */
  readonly drawn: readonly LoadedRequest[];
  /** Epoch ms at which the moments of `drawn` are 0. */
  readonly timeOrigin: number;
  readonly stopped: LoadStop | null;
}

const MAX_DRAWN = 20_000;
/** A part is long enough for its rate to mean something, and several of them for a drift to hit all scenarios alike. */
const PART_MS = 2_000;
const PART_REQUESTS = 200;
const MAX_PARTS = 10;
/** What is under way when a part ends may take so much longer, ms; then it is ended. */
const GRACE_MS = 5_000;
/** Users of a later part do not begin all at once, ms. */
const STAGGER_MS = 100;
/** So many answers in a row say that nothing else will come. */
const STORM = 50;

interface Part {
  readonly scenario: LoadScenario;
  readonly isWarmup: boolean;
  readonly isFirst: boolean;
  readonly ms: number;
  readonly count: number;
}

/** Scenarios take turns, so that none has the machine's or the network's better minutes. Never rejects for what a server does. */
export async function runLoad(plan: LoadPlan, edges: LoadEdges): Promise<LoadRun> {
  const { random, signal, began, ended, progress } = edges;
  const startedAt = Date.now();
  const since = performance.now();
  const counts = new Map(plan.scenarios.map((scenario) => [scenario, new LoadCounts(scenario)]));
  const drawn: LoadedRequest[] = [];
  let counted = 0;
  let busyMs = 0;
  let stopped: LoadStop | null = null;
  let storm: { readonly code: string; n: number } = { code: '', n: 0 };
  const end = new AbortController();
  const users = Array.from({ length: plan.users }, () => edges.user(() => stop('refused')));
  const stop = (why: LoadStop) => {
    stopped ??= why;
    end.abort();
    for (const user of users) void user.close();
  };
  const interrupted = () => stop('interrupted');
  signal.addEventListener('abort', interrupted);
  if (signal.aborted) interrupted();
  const parts = partsOf(plan);
  const whole = parts.reduce((sum, part) => sum + sizeOf(part, plan), 0);
  let done = 0;
  try {
    for (const part of parts) {
      if (stopped !== null) break;
      const own = counts.get(part.scenario) as LoadCounts;
      if (!part.isWarmup) await began?.(part.scenario);
      const before = eventLoop.eventLoopUtilization();
      const { seconds, neverBegun } = await runPart(part, plan, users, random, end.signal, (request, share) => {
        // What was under way when the load was ended is no result.
        if (end.signal.aborted && request.error === UNFINISHED) return;
        own.add(request, since, part.isWarmup);
        note(request, part.isWarmup);
        progress?.(own, Math.min(1, (done + share * sizeOf(part, plan)) / whole));
      });
      if (!part.isWarmup) {
        busyMs += eventLoop.eventLoopUtilization(before).active;
        own.seconds += seconds;
        own.neverBegun += neverBegun;
        await ended?.(part.scenario);
      }
      done += sizeOf(part, plan);
    }
  } finally {
    signal.removeEventListener('abort', interrupted);
    await Promise.all(users.map((user) => user.close()));
  }
  const measured = [...counts.values()].reduce((sum, { seconds }) => sum + seconds, 0);
  return {
    startedAt,
    endedAt: Date.now(),
    counts: [...counts.values()],
    drawn,
    timeOrigin: startedAt - since,
    busy: measured === 0 ? 0 : Math.min(1, busyMs / 1000 / measured),
    stopped,
  };

  function note(request: LoadedRequest, isWarmup: boolean): void {
    const code = request.error ?? String(request.status);
    storm = code === storm.code ? { code, n: storm.n + 1 } : { code, n: 1 };
    if (storm.n >= STORM && code === '401') stop('unauthorized');
    if (storm.n >= STORM && request.error !== null && request.sentAt === null) stop('unreachable');
    if (code === 'EMFILE' || code === 'ENFILE') stop('too_many_files');
    if (isWarmup) return;
    // https://en.wikipedia.org/wiki/Reservoir_sampling#Simple:_Algorithm_R
    counted++;
    const at = drawn.length < MAX_DRAWN ? drawn.length : Math.floor(random() * counted);
    if (at < MAX_DRAWN) drawn[at] = request;
  }
}

function partsOf({ scenarios, warmupMs, rampMs, durationMs, count }: LoadPlan): Part[] {
  const rounds =
    scenarios.length === 1
      ? 1
      : Math.min(MAX_PARTS, Math.max(1, Math.floor(count === null ? durationMs / PART_MS : count / PART_REQUESTS)));
  // Requests that are counted are counted from the first user's first one on, as other tools do.
  const isRamped = count === null && rampMs > 0;
  const ms = rampMs + warmupMs;
  const warmups = scenarios.map((scenario) => ({
    ...{ scenario, isWarmup: true, isFirst: true, ms, count: Number.POSITIVE_INFINITY },
  }));
  const hasWarmup = warmupMs > 0 || isRamped;
  const measured = Array.from({ length: rounds }, (_, round) =>
    scenarios.map((scenario) => ({
      scenario,
      isWarmup: false,
      isFirst: round === 0 && !hasWarmup,
      ms: count === null ? durationMs / rounds : Number.POSITIVE_INFINITY,
      // What does not divide evenly is in the first ones.
      count: count === null ? Number.POSITIVE_INFINITY : Math.ceil((count - round) / rounds),
    })),
  );
  return [...(hasWarmup ? warmups : []), ...measured.flat()];
}

/** For the progress: in requests where they are counted, else in ms. */
function sizeOf({ isWarmup, ms, count }: Part, plan: LoadPlan): number {
  if (plan.count === null) return ms;
  return isWarmup ? 0 : count;
}

async function runPart(
  part: Part,
  { rampMs, thinkMs: [least, most], rate }: LoadPlan,
  users: readonly VirtualUser[],
  random: () => number,
  signal: AbortSignal,
  done: (request: LoadedRequest, share: number) => void,
): Promise<{ readonly seconds: number; readonly neverBegun: number }> {
  const from = performance.now();
  let taken = 0;
  let ended = 0;
  let lastEnd = from;
  let neverBegun = 0;
  const isTimed = part.ms < Number.POSITIVE_INFINITY;
  const interval = rate === null ? 0 : 1000 / rate;
  const now = () => performance.now() - from;
  // Timers may fire early by part of a millisecond.
  const pause = (ms: number) => sleep(Math.ceil(ms), undefined, { signal }).catch(() => {}); // the loop looks at the signal itself
  const tooLate = isTimed
    ? setTimeout(() => users.forEach((user) => void user.close()), part.ms + GRACE_MS)
    : undefined;
  await Promise.all(users.map(work));
  clearTimeout(tooLate);
  const seconds = Math.max(isTimed && !signal.aborted ? part.ms : 0, lastEnd - from) / 1000;
  return { seconds, neverBegun };

  async function work(user: VirtualUser, index: number): Promise<void> {
    const first = part.isFirst ? (rampMs * index) / users.length : random() * Math.max(STAGGER_MS, most);
    if (rate === null && first > 0) await pause(first);
    while (!signal.aborted && taken < part.count) {
      const offset = rate === null ? now() : interval * taken;
      if (offset >= part.ms) return;
      if (rate !== null && (isTimed ? now() >= part.ms + GRACE_MS : false)) return giveUp();
      taken++;
      const early = offset - now();
      if (rate !== null && early > 0) await pause(early);
      if (signal.aborted) return;
      const request = await user.request(part.scenario, from + offset);
      ended++;
      lastEnd = request.endedAt;
      done(request, isTimed ? (request.endedAt - from) / part.ms : ended / part.count);
      const think = rate === null ? least + (most - least) * random() : 0;
      if (think > 0 && now() + think < part.ms && taken < part.count) await pause(think);
      else if (think > 0) return;
    }
    if (signal.aborted && rate !== null) giveUp();
  }

  /** What should have begun by now, or within the part, and has not. */
  function giveUp(): void {
    const due = Math.min(part.count, Math.ceil(Math.min(now(), part.ms) / interval));
    neverBegun += Math.max(0, due - taken);
    taken = Number.POSITIVE_INFINITY;
  }
}
