import { RandomStream } from '../random-stream.ts';
import { SERVERS_OFFSET_MS, type WorldPlan } from './world-plan.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOISE_MS = 300_000;
const DAY_NOISE = 0.03;
const SHORT_NOISE = 0.08;
/** What comes on top is turned away before it queues. */
const MAX_LOAD = 0.985;
const MAX_WAIT_MS = 15_000;
/** Share of the busiest time's load, by hour of the day at the servers. */
const SHAPE = [
  0.2, 0.18, 0.18, 0.18, 0.2, 0.25, 0.35, 0.55, 0.8, 0.95, 1, 0.97, 0.78, 0.85, 0.98, 0.95, 0.85, 0.7, 0.55, 0.45, 0.4,
  0.35, 0.3, 0.25,
] as const;
const DAY_OFF_SHARE = 0.45;

/** How much the rest of the world uses what users share, as a factor on the load at the busiest time; it goes up and down. */
export class Demand {
  readonly #plan: WorldPlan;
  readonly #noise = new Map<number, number>();

  constructor(plan: WorldPlan) {
    this.#plan = plan;
  }

  /** @param what a number for the queue, so that each has its own ups and downs */
  at(at: number, what: number): number {
    const local = at + SERVERS_OFFSET_MS;
    const hour = (local % DAY_MS) / HOUR_MS;
    const [before, after] = [SHAPE[Math.floor(hour)] as number, SHAPE[(Math.floor(hour) + 1) % 24] as number];
    const weekday = new Date(local).getUTCDay();
    const base = (before + (after - before) * (hour % 1)) * (weekday === 0 || weekday === 6 ? DAY_OFF_SHARE : 1);
    return (
      base *
      this.#drawn(Math.floor(local / DAY_MS), what, DAY_NOISE) *
      this.#drawn(Math.floor(local / NOISE_MS), what, SHORT_NOISE)
    );
  }

  #drawn(slot: number, what: number, sigma: number): number {
    const key = slot * 4096 + what;
    let noise = this.#noise.get(key);
    if (noise === undefined) {
      noise = new RandomStream(this.#plan.seed, 102, slot, what).lognormal(1, sigma);
      this.#noise.set(key, noise);
    }
    return noise;
  }
}

/**
 * How long a request waits for one of `servers`: M/M/c, by Erlang's formula for the chance to wait at all.
 *
 * @param load utilisation, 1 is full
 * @param holdMs mean time that each is held
 */
export function queueWait(servers: number, load: number, holdMs: number, random: RandomStream): number {
  const luck = random.uniform();
  const rest = random.exponential(1);
  const utilisation = Math.min(load, MAX_LOAD);
  if (utilisation <= 0 || luck >= erlangC(servers, utilisation)) return 0;
  return Math.min(MAX_WAIT_MS, (rest * holdMs) / (servers * (1 - utilisation)));
}

function erlangC(servers: number, utilisation: number): number {
  const offered = servers * utilisation;
  let blocking = 1;
  for (let n = 1; n <= servers; n++) blocking = (offered * blocking) / (n + offered * blocking);
  return blocking / (1 - utilisation * (1 - blocking));
}

/** What is left of a pause in which the machine answers nothing; each machine pauses at its own times. */
export function leftOfPause(
  at: number,
  machine: number,
  { everyMs, lastMs }: { everyMs: number; lastMs: number },
): number {
  const since = (at + machine * 0.37 * everyMs) % everyMs;
  return since < lastMs ? lastMs - since : 0;
}
