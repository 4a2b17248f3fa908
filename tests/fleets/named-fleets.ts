import { basePlan } from './base-plan.ts';
import { plant } from './causes.ts';
import type { CauseName, PlantedFleet } from './plan.ts';

export const FLEET_NAMES = ['trouble', 'far', 'quiet'] as const;
export type FleetName = (typeof FLEET_NAMES)[number];

export const FULL_SAMPLES = 1_280_000;
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const BROWSERS = 300;

const FLEETS: Readonly<Record<FleetName, { readonly seed: number; readonly causes: readonly CauseName[] }>> = {
  /** A keep-alive time-out of five seconds, a slow request and a release that made things worse. */
  trouble: { seed: 21, causes: ['keep_alive_edge', 'slow_endpoint', 'release_worse'] },
  /** An office on another continent, TLS inspection at another one, and long-polling that is no fault. */
  far: { seed: 22, causes: ['far_site', 'inspection', 'long_polling'] },
  quiet: { seed: 23, causes: ['nothing'] },
};

export function isFleetName(name: string): name is FleetName {
  return (FLEET_NAMES as readonly string[]).includes(name);
}

/**
 * 300 browsers at six sites, 18 hosts of six apps, thirty days.
 *
 * @param until end of the last day, UTC midnight, epoch ms
 */
export function namedFleet(name: FleetName, until: number, samples = FULL_SAMPLES): PlantedFleet {
  const { seed, causes } = FLEETS[name];
  const shape = { name, seed, from: until - DAYS * DAY_MS, days: DAYS, browsers: BROWSERS, apps: 6, variety: 0.15 };
  // Each cause has a place of its own.
  return causes.reduce<PlantedFleet>(
    (planted, cause, index) => {
      const next = plant(planted.plan, [cause], seed + index);
      return { plan: next.plan, truth: [...planted.truth, ...next.truth] };
    },
    { plan: basePlan({ ...shape, samples }), truth: [] },
  );
}
