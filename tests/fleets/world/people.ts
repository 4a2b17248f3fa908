import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { RandomStream } from '../random-stream.ts';
import { type Habits, holds, type Subject, type WorldPlan, type WorldSite } from './world-plan.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Full versions by major: browsers of a fleet are spread over three releases. */
const VERSIONS: Readonly<Record<BrowserEngine, readonly string[]>> = {
  chromium: ['155.0.7888.61', '156.0.7920.44', '157.0.7951.30'],
  firefox: ['140.9.0', '152.0.1', '153.1.0'],
};
const CLOCK_STEPS = { chromium: 100, firefox: 1000 } as const;

export interface Connection {
  readyAt: number;
  /** When the last response on it has ended. */
  freeAt: number;
  window: number;
  readonly machine: number;
  /** Whether its user is known to the server. */
  proven: boolean;
  /** Whether it knows how large packets may be. */
  sized: boolean;
}

export interface OriginState {
  connections: Connection[];
  nameUntil: number;
  nameAt: number;
  tickets: { readonly until: number; readonly machine: number }[];
  /** When the gateway lets the next request through. */
  nextAt: number;
}

export interface Person extends Subject {
  readonly site: WorldSite;
  readonly fullVersion: string;
  /** µs. */
  readonly clockStep: number;
  readonly distance: number;
  readonly line: number;
  readonly activity: number;
  readonly apps: readonly { readonly index: number; readonly weight: number }[];
  readonly origins: Map<string, OriginState>;
  /** Stored responses by request and address, the one used last at the end. */
  readonly cache: Map<number, { readonly until: number; readonly bytes: number }>;
  /** What is on its way to this browser now. */
  lineFreeAt: number;
}

export function peopleOf(plan: WorldPlan): Person[] {
  const people: Person[] = [];
  for (const site of plan.sites) {
    for (let i = 0; i < site.browsers; i++) people.push(personOf(plan, site, people.length));
  }
  const mean = people.reduce((sum, { activity }) => sum + activity, 0) / people.length;
  return people.map((person) => ({ ...person, activity: person.activity / mean }));
}

function personOf(plan: WorldPlan, site: WorldSite, number: number): Person {
  const random = new RandomStream(plan.seed, 101, number);
  const engine = random.chance(site.firefoxShare) ? 'firefox' : 'chromium';
  const fullVersion = VERSIONS[engine][random.whole(3)] as string;
  return {
    number,
    site,
    engine,
    version: fullVersion.split('.', 1)[0] as string,
    fullVersion,
    clockStep: CLOCK_STEPS[engine],
    distance: random.lognormal(1, 0.1),
    line: random.lognormal(1, 0.3),
    activity: random.lognormal(1, 0.45),
    apps: plan.apps.map(({ weight }, index) => ({ index, weight: weight * random.lognormal(1, 0.7) })),
    origins: new Map(),
    cache: new Map(),
    lineFreeAt: 0,
  };
}

const ORDINARY: Habits = {
  blockedMs: 0,
  connectMs: 0,
  distance: 1,
  neverCaches: false,
  idleMs: Number.POSITIVE_INFINITY,
  activity: 1,
  slowLine: 1,
  cacheBytes: Number.POSITIVE_INFINITY,
  scanMs: 0,
  scanMsPerMb: 0,
  lookupMs: 0,
  sendsErrors: 0,
};

export function habitsAt(plan: WorldPlan, person: Subject, at: number): Habits {
  let habits = ORDINARY;
  for (const { when, set } of plan.habits) if (holds(when, plan, person, at)) habits = { ...habits, ...set };
  return habits;
}

/** The browser with the version that it has on that day; its cache and connections are the same. */
export function updated({ rollOut, seed }: WorldPlan, person: Person, day: number): Person {
  if (rollOut === undefined || rollOut.engine !== person.engine || day < rollOut.fromDay) return person;
  const turn = new RandomStream(seed, 112, person.number).uniform() / rollOut.share;
  if (turn > 1 || day < rollOut.fromDay + turn * rollOut.days) return person;
  const { fullVersion } = rollOut;
  return { ...person, fullVersion, version: fullVersion.split('.', 1)[0] as string };
}

/** Stores a response, and gives up those that were used longest ago where there is no room for all. */
export function store({ cache }: Person, key: number, until: number, bytes: number, room: number): void {
  cache.delete(key);
  cache.set(key, { until, bytes });
  if (room === Number.POSITIVE_INFINITY) return;
  let used = 0;
  for (const one of cache.values()) used += one.bytes;
  for (const [oldest, one] of cache) {
    if (used <= room) break;
    cache.delete(oldest);
    used -= one.bytes;
  }
}

/** How much a browser is used on that day; 1 is an average one on a working day. */
export function presence(plan: WorldPlan, person: Person, day: number): number {
  const noon = plan.from + day * DAY_MS + 12 * HOUR_MS;
  const weekday = new Date(noon).getUTCDay();
  const dayOff = weekday === 0 || weekday === 6;
  return person.activity * habitsAt(plan, person, noon).activity * (dayOff ? person.site.weekend : 1);
}

/** A moment of the site's working hours, with less around noon and at both ends. */
export function momentOfDay({ hours: [from, to] }: WorldSite, random: RandomStream): number {
  for (;;) {
    const hour = from + (to - from) * random.uniform();
    const dip = hour >= 12 && hour < 13 ? 0.45 : 1;
    const edge = Math.min(1, (hour - from + 0.3) / 1.2, (to - hour + 0.3) / 1.2);
    if (random.chance(dip * edge)) return hour * HOUR_MS;
  }
}
