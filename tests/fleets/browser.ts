import type { FleetPlan, HostPlan, SitePlan } from './plan.ts';
import { RandomStream } from './random-stream.ts';

/** One connection to an origin. Times are epoch ms, fractions included. */
export interface Connection {
  readyAt: number;
  /** When the response that it carries has arrived; requests of HTTP/1.1 wait for it. */
  freeAt: number;
  /** Bytes that a round trip carries by now. */
  window: number;
}

/** What a browser knows about a host. */
export interface HostState {
  connections: Connection[];
  nameKnownAt: number;
  nameUntil: number;
  /** From when until when each can be used. */
  tickets: { readonly from: number; readonly until: number }[];
  /** The last response over the network; NaN before the first. */
  answeredAt: number;
}

/** One browser, with everything that it keeps from one page view to the next. */
export interface Browser {
  readonly number: number;
  readonly site: SitePlan;
  readonly firefox: boolean;
  readonly version: string;
  /** µs. */
  readonly clockStep: number;
  /** Its own distance to everything, compared with its site's. */
  readonly rttFactor: number;
  readonly lineFactor: number;
  /** How much it is used: 1 is the fleet's average. */
  readonly activity: number;
  /** Milliseconds that each request waits in it; 0 unless it is sick. */
  readonly blockedMs: number;
  readonly apps: readonly { readonly index: number; readonly weight: number }[];
  readonly hosts: Map<HostPlan, HostState>;
  /** Until when a resource is in its cache, by resource number. */
  readonly cache: Map<number, number>;
}

const CHROMIUM = ['154.0.7801.92', '155.0.7888.61', '156.0.7920.44'];
const FIREFOX = ['140.9.0', '153.1.0'];

export function browsersOf(plan: FleetPlan): Browser[] {
  const browsers: Browser[] = [];
  let ofSite = 0;
  for (const site of plan.sites) {
    for (let i = 0; i < site.browsers; i++) browsers.push(browserOf(plan, site, ofSite + i));
    ofSite += site.browsers;
  }
  const mean = browsers.reduce((sum, { activity }) => sum + activity, 0) / browsers.length;
  return browsers.map((browser) => ({ ...browser, activity: browser.activity / mean }));
}

function browserOf(plan: FleetPlan, site: SitePlan, number: number): Browser {
  const random = new RandomStream(plan.seed, 1, number);
  const firefox = random.chance(site.firefoxShare);
  const versions = firefox ? FIREFOX : CHROMIUM;
  const spread = site.kind === 'office' ? 0.05 : 0.25;
  const sick = plan.sick?.browser === number ? plan.sick : null;
  return {
    number,
    site,
    firefox,
    version: versions[random.whole(versions.length)] as string,
    clockStep: firefox ? 1000 : 100,
    rttFactor: random.lognormal(1, spread) * (sick?.rttFactor ?? 1),
    lineFactor: random.lognormal(1, 2 * spread),
    activity: random.lognormal(1, 0.5),
    blockedMs: sick?.blockedMs ?? 0,
    // Most people use two or three apps a lot and the others hardly.
    apps: plan.apps.map(({ weight }, index) => ({ index, weight: weight * random.lognormal(1, 0.9) })),
    hosts: new Map(),
    cache: new Map(),
  };
}

export function hostState(browser: Browser, host: HostPlan): HostState {
  let state = browser.hosts.get(host);
  if (state === undefined) {
    state = { connections: [], nameKnownAt: 0, nameUntil: 0, tickets: [], answeredAt: Number.NaN };
    browser.hosts.set(host, state);
  }
  return state;
}

/** Hours since local midnight, with a fraction. */
export function localHour(site: SitePlan, at: number): number {
  return (((at / 3_600_000 + site.zoneHours) % 24) + 24) % 24;
}

export function isWithin(hour: number, [from, to]: readonly [number, number]): boolean {
  return hour >= from && hour < to;
}
