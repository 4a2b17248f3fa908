import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import { RandomStream } from '../random-stream.ts';
import type { MeasuredCause } from '../truth.ts';
import { measureCause, type Waiting, waitingOf } from '../waiting.ts';
import { baseWorld } from './base-world.ts';
import { generateWorld, numbersOfWorld } from './generate-world.ts';
import { Ground, type QuietWorld, type WorldCause } from './planting.ts';
import type { WorldPlan } from './world-plan.ts';

/** Share of all waiting that a cause may cost: less is no fair question. */
const COSTS = [0.015, 0.2] as const;
const WISHED = [0.025, 0.13] as const;
const ATTEMPTS = 8;
const SMALLER = 0.25;

export interface MeasuredFleet {
  readonly plan: WorldPlan;
  readonly batches: readonly WireBatch[];
  readonly causes: readonly MeasuredCause[];
}

interface Played {
  readonly batches: readonly WireBatch[];
  readonly waiting: Waiting;
}

/** Plants causes in the fleet of that seed, and measures what each costs. */
export function plantWorld(seed: number, wanted: readonly WorldCause[]): MeasuredFleet {
  const base = baseWorld(seed);
  const plain = play(base).waiting;
  const taken = new Set<string>();
  const singles = wanted.map((cause, index) => {
    const one = plantOne(base, plain, cause, seed, index, taken);
    for (const place of one.cause.places)
      for (const name of [place.host, place.site]) if (name !== undefined) taken.add(name);
    return one;
  });
  const [first, second] = singles;
  if (first === undefined) throw new Error('Nothing is planted.');
  if (second === undefined) {
    const { plan, played, without, cause } = first;
    return { plan, batches: played.batches, causes: [measureCause(cause, played.waiting, without, plan.from)] };
  }
  const plan = second.onto(first.plan);
  const both = play(plan);
  const causes = [
    measureCause(first.cause, both.waiting, second.played.waiting, plan.from),
    measureCause(second.cause, both.waiting, first.played.waiting, plan.from),
  ];
  return { plan, batches: both.batches, causes };
}

export function quietWorld(seed: number, quiet: QuietWorld): MeasuredFleet {
  const base = baseWorld(seed);
  const ground = new Ground(base, play(base).waiting, new RandomStream(seed, 202), 0);
  const plan = quiet.change(ground);
  return { plan, batches: play(plan).batches, causes: [] };
}

/**
 * Draws again until it has a place of its own and costs enough: in a smaller fleet of the same kind, then in the whole one. The
 * strength that is asked for follows what the last one cost.
 */
function plantOne(
  base: WorldPlan,
  plain: Waiting,
  cause: WorldCause,
  seed: number,
  index: number,
  taken: ReadonlySet<string>,
) {
  const draw = new RandomStream(seed, 203, index);
  let wished = WISHED[0] * (WISHED[1] / WISHED[0]) ** draw.uniform();
  let last = 'no room';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const strength = wished;
    const ground = (plan: WorldPlan) => new Ground(plan, plain, new RandomStream(seed, 204, index, attempt), strength);
    const prepare = (plan: WorldPlan) => cause.prepare?.(ground(plan)) ?? plan;
    const plant = (plan: WorldPlan) => cause.plant(ground(prepare(plan)));
    let planted: ReturnType<WorldCause['plant']>;
    try {
      planted = plant(base);
    } catch (error) {
      last = String(error);
      continue;
    }
    if (planted.cause.places.some(({ host, site }) => taken.has(host ?? '') || taken.has(site ?? ''))) continue;
    const whole = () => {
      const played = play(planted.plan);
      const without = cause.prepare === undefined ? plain : play(prepare(base)).waiting;
      return { played, without };
    };
    const accepted = ({ played, without }: ReturnType<typeof whole>) => ({
      plan: planted.plan,
      cause: { name: cause.name, ...planted.cause },
      played,
      without,
      onto: (plan: WorldPlan) => plant(plan).plan,
    });
    if (planted.cause.costless) return accepted(whole());
    const smaller = (plan: WorldPlan) => play({ ...plan, samples: plan.samples * SMALLER }).waiting;
    let cost = costOf(smaller(planted.plan), smaller(prepare(base)));
    if (isFair(cost)) {
      const result = whole();
      cost = costOf(result.played.waiting, result.without);
      if (isFair(cost)) return accepted(result);
    }
    last = `costs ${cost}`;
    wished *= Math.min(4, Math.max(0.25, 0.06 / Math.max(cost, 0.001)));
  }
  throw new Error(`No fleet ${seed} with ${cause.name}: ${last}.`);
}

function costOf(withIt: Waiting, without: Waiting): number {
  return Math.abs(withIt.total - without.total) / withIt.total;
}

function isFair(cost: number): boolean {
  return cost >= COSTS[0] && cost <= COSTS[1];
}

function play(plan: WorldPlan): Played {
  const batches: WireBatch[] = [];
  for (const { wire } of generateWorld(plan)) batches.push(wire);
  return { batches, waiting: waitingOf(batches, numbersOfWorld(plan), heldBy(plan)) };
}

function heldBy(plan: WorldPlan): (host: string, template: string) => boolean {
  const held = new Set<string>();
  for (const { requests } of plan.apps.flatMap(({ pages }) => pages)) {
    for (const { host, template, traits } of requests) if (traits.heldMs > 0) held.add(`${host} ${template}`);
  }
  return held.size === 0 ? () => false : (host, template) => held.has(`${host} ${template}`);
}
