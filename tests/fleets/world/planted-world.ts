import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import { RandomStream } from '../random-stream.ts';
import type { MeasuredCause, PlantedCause } from '../truth.ts';
import { measureCause, type Waiting, waitingOf } from '../waiting.ts';
import { baseWorld } from './base-world.ts';
import { generateWorld, numbersOfWorld } from './generate-world.ts';
import { Ground, type QuietWorld, type WorldCause } from './planting.ts';
import type { WorldPlan } from './world-plan.ts';

/** Share of all waiting that a cause may cost: less is no fair question. */
const COSTS = [0.015, 0.2] as const;
const WISHED = [0.025, 0.13] as const;
const ATTEMPTS = 8;

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

/** Draws again until it has a place of its own and costs enough; the stronger it has to be, the stronger it gets. */
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
    const random = () => new RandomStream(seed, 204, index, attempt);
    const onto = (plan: WorldPlan) => {
      const prepared = cause.prepare?.(new Ground(plan, plain, random(), wished)) ?? plan;
      return cause.plant(new Ground(prepared, plain, random(), wished));
    };
    let planted: { plan: WorldPlan; cause: Omit<PlantedCause, 'name'> };
    try {
      planted = onto(base);
    } catch (error) {
      last = String(error);
      continue;
    }
    if (planted.cause.places.some(({ host, site }) => taken.has(host ?? '') || taken.has(site ?? ''))) continue;
    const played = play(planted.plan);
    const without =
      cause.prepare === undefined ? plain : play(cause.prepare(new Ground(base, plain, random(), wished))).waiting;
    const cost = Math.abs(played.waiting.total - without.total) / played.waiting.total;
    const frozen = wished;
    const again = (plan: WorldPlan) => {
      const ground = (of: WorldPlan) => new Ground(of, plain, random(), frozen);
      return cause.plant(ground(cause.prepare?.(ground(plan)) ?? plan)).plan;
    };
    if (planted.cause.costless || (cost >= COSTS[0] && cost <= COSTS[1])) {
      return { plan: planted.plan, cause: { name: cause.name, ...planted.cause }, played, without, onto: again };
    }
    last = `costs ${cost}`;
    wished *= Math.min(4, Math.max(0.25, 0.05 / Math.max(cost, 0.001)));
  }
  throw new Error(`No fleet ${seed} with ${cause.name}: ${last}.`);
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
