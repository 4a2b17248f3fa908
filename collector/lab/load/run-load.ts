import { setTimeout as sleep } from 'node:timers/promises';
import { LoadCounts } from '../../analysis/load/load-counts.ts';
import type { LoadStop } from '../../analysis/load/load-points.ts';
import type { LoadedRequest, LoadScenario } from '../../analysis/load/loaded-request.ts';
import type { VirtualUser } from './virtual-user.ts';

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
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly counts: readonly LoadCounts[];
  /** At most MAX_DRAWN of the requests that count, each as likely as any other. */
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
  let stopped: LoadStop | null = null;
  let storm: { readonly code: string; n: number } = { code: '', n: 0 };
  const stop = (why: LoadStop) => {
    stopped ??= why;
    end.abort();
  };
  const end = new AbortController();
  const interrupted = () => stop('interrupted');
  signal.addEventListener('abort', interrupted);
  if (signal.aborted) interrupted();
  const users = Array.from({ length: plan.users }, () => edges.user(() => stop('refused')));
  const parts = partsOf(plan);
  const whole = parts.reduce((sum, part) => sum + sizeOf(part, plan), 0);
  let done = 0;
  try {
    for (const part of parts) {
      if (stopped !== null) break;
      const own = counts.get(part.scenario) as LoadCounts;
      if (!part.isWarmup) await began?.(part.scenario);
      const from = performance.now();
      await runPart(part, plan, users, random, end.signal, (request, share) => {
        own.add(request, since, part.isWarmup);
        note(request, part.isWarmup);
        progress?.(own, (done + share * sizeOf(part, plan)) / whole);
      });
      if (!part.isWarmup) {
        own.seconds += (performance.now() - from) / 1000;
        await ended?.(part.scenario);
      }
      done += sizeOf(part, plan);
    }
  } finally {
    signal.removeEventListener('abort', interrupted);
    await Promise.all(users.map((user) => user.close()));
  }
  return {
    startedAt,
    endedAt: Date.now(),
    counts: [...counts.values()],
    drawn,
    timeOrigin: startedAt - since,
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
  const warmups =
    warmupMs === 0
      ? []
      : scenarios.map((scenario) => ({
          ...{ scenario, isWarmup: true, isFirst: true, ms: rampMs + warmupMs, count: Number.POSITIVE_INFINITY },
        }));
  const measured = Array.from({ length: rounds }, (_, round) =>
    scenarios.map((scenario) => ({
      scenario,
      isWarmup: false,
      isFirst: round === 0 && warmupMs === 0,
      ms: count === null ? durationMs / rounds : Number.POSITIVE_INFINITY,
      // What does not divide evenly is in the first ones.
      count: count === null ? Number.POSITIVE_INFINITY : Math.ceil((count - round) / rounds),
    })),
  );
  return [...warmups, ...measured.flat()];
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
): Promise<void> {
  const from = performance.now();
  let taken = 0;
  let ended = 0;
  const interval = rate === null ? 0 : 1000 / rate;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {}); // the loop looks at the signal itself
  await Promise.all(users.map(work));

  async function work(user: VirtualUser, index: number): Promise<void> {
    if (rate === null && part.isFirst) await pause((rampMs * index) / users.length);
    while (!signal.aborted && taken < part.count) {
      const offset = rate === null ? performance.now() - from : interval * taken;
      if (offset >= part.ms) return;
      const intendedAt = from + offset;
      taken++;
      const early = intendedAt - performance.now();
      if (early > 0) await pause(early);
      if (signal.aborted) return;
      const request = await user.request(part.scenario, intendedAt);
      ended++;
      done(request, part.ms === Number.POSITIVE_INFINITY ? ended / part.count : (request.endedAt - from) / part.ms);
      if (rate === null && most > 0) await pause(least + (most - least) * random());
    }
  }
}
