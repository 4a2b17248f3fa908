import type { BrowserEngine, ResourceType, Scheme } from '../../../shared/vocabulary/vocabulary.ts';

/**
 * A second, independent world of browsers, lines and servers, as plain data: queues that fill, machines behind balancers, pools,
 * tickets, caches, proxies, engines. It shares nothing with plan.ts beside it but the way batches are written, so that a diagnosis
 * that fits one world by accident fails in the other. Times are ms; medians where a draw is lognormal.
 */
export interface WorldPlan {
  readonly seed: number;
  /** First day, UTC midnight, epoch ms. */
  readonly from: number;
  readonly days: number;
  /** About how many samples; visits are scaled to it. */
  readonly samples: number;
  readonly sites: readonly WorldSite[];
  readonly hosts: readonly WorldHost[];
  readonly apps: readonly WorldApp[];
  /** How browsers behave: from all to a single one. */
  readonly habits: readonly Variant<Habits>[];
  readonly rollOut?: RollOut;
}

/** A new version of an engine that browsers get one after another. */
export interface RollOut {
  readonly engine: BrowserEngine;
  readonly fullVersion: string;
  readonly fromDay: number;
  /** How long it takes until all of them have it. */
  readonly days: number;
  /** Share of the engine's browsers that get it. */
  readonly share: number;
}

/** All that is said has to hold. Hours, minutes and weekdays are those of the servers, UTC+1. */
export interface When {
  readonly fromDay?: number;
  readonly beforeDay?: number;
  readonly hours?: readonly [number, number];
  readonly minutes?: readonly [number, number];
  /** 0 is Sunday. */
  readonly weekdays?: readonly number[];
  readonly sites?: readonly string[];
  readonly engine?: BrowserEngine;
  readonly version?: string;
  readonly browsers?: readonly number[];
}

/** What is different at some times or for some browsers; later ones overrule earlier ones. */
export interface Variant<T> {
  readonly when: When;
  readonly set: Partial<T>;
}

export type Distance = 'house' | 'cloud' | 'edge' | 'abroad';

export interface WorldSite {
  readonly name: string;
  readonly browsers: number;
  readonly firefoxShare: number;
  readonly zoneHours: number;
  readonly hours: readonly [number, number];
  /** Presence on a day off, compared with a working day. */
  readonly weekend: number;
  readonly traits: SiteTraits;
  readonly variants?: readonly Variant<SiteTraits>[];
}

export interface SiteTraits {
  readonly rttMs: Readonly<Record<Distance, number>>;
  readonly jitter: number;
  /** Of packets. */
  readonly loss: number;
  /** What one browser gets of the line, and how much of the line is in use at the busiest time of an ordinary day. */
  readonly mbps: number;
  readonly lineLoad: number;
  /** How long its gateway works on one packet; what comes meanwhile queues. */
  readonly gatewayMs: number;
  /** What one browser gets of the line to the servers. */
  readonly upMbps: number;
  /** The site's resolver, and what it takes on top where it has to ask on. */
  readonly dnsMs: number;
  readonly recursionMs: number;
  /** null is a direct way. */
  readonly proxy: WorldProxy | null;
}

export interface WorldProxy {
  /** Hosts that go through it; all if absent. */
  readonly hosts?: readonly string[];
  /** Terminates TLS with its own certificate; else it tunnels by CONNECT. */
  readonly inspects: boolean;
  readonly extraMs: number;
  /** Connections that it opens at once, and how much of that is in use at the busiest time. */
  readonly slots: number;
  readonly load: number;
}

export interface WorldHost {
  readonly name: string;
  readonly traits: HostTraits;
  readonly variants?: readonly Variant<HostTraits>[];
}

export interface HostTraits {
  readonly scheme: Scheme;
  readonly distance: Distance;
  readonly protocol: 'http/1.1' | 'h2' | 'h3';
  readonly tls: '1.2' | '1.3';
  /** Timing-Allow-Origin. */
  readonly allowsTiming: boolean;
  readonly serverTiming: boolean;
  readonly tellsHandshake: boolean;
  readonly dnsTtlMs: number;
  /** What the servers of its name add to a lookup that no cache answers. */
  readonly nameMs: number;
  /** The server or its balancer closes idle connections after this long. */
  readonly idleMs: number;
  /** For how long a session can be resumed; 0 is never. */
  readonly ticketMs: number;
  /** Whether each machine can read the tickets of the others. */
  readonly sharedTickets: boolean;
  readonly handshakeMs: number;
  readonly machines: number;
  /** Whether the balancer picks a machine anew for each request. */
  readonly perRequest: boolean;
  /** Requests that one machine works on at a time, and its utilisation at the busiest time of an ordinary day. */
  readonly workers: number;
  readonly load: number;
  /** Factor on all service times, and on those of one machine. */
  readonly work: number;
  readonly worstMachine: number;
  /** Connections to the database, and the utilisation of those. */
  readonly pool: number;
  readonly poolLoad: number;
  /** Each machine stops for `lastMs` every `everyMs`. */
  readonly pause: { readonly everyMs: number; readonly lastMs: number } | null;
  /** Share of requests that a cache at the edge answers, and the way on to the origin where it does not. */
  readonly hitShare: number | null;
  readonly originMs: number;
  /** A way round, on every round trip. */
  readonly detourMs: number;
  /** The congestion window starts again after a second without traffic. */
  readonly windowResets: boolean;
  /** Until a browser gives up an address that does not answer and tries the other. */
  readonly fallbackMs: number;
  readonly loss: number;
  /** Each connection has to prove who the user is, in that many exchanges that end in a 401. */
  readonly challenges: number;
  /** Share of connections that never come to be, and how long a browser tries. */
  readonly blackhole: { readonly share: number; readonly afterMs: number } | null;
  /** Cookies and tokens that each request carries; the server reads them before it works. */
  readonly cookieBytes: number;
  /** What a full handshake takes longer until the browser knows that the certificate isn't revoked. */
  readonly revocationMs: number;
  /** One of several addresses of the name is dead: share of connections that try it first, and when they try the next. */
  readonly deadAddress: { readonly share: number; readonly afterMs: number } | null;
  /** The gateway lets a browser's requests through at this pace and keeps the others waiting. */
  readonly paceMs: number;
  /** On each new connection the first packet of full size is lost without a word, until smaller ones are tried after this long. */
  readonly packetStallMs: number;
  /** Each open tab keeps a connection of HTTP/1.1 for news: how many tabs people have open, and how long one is kept. */
  readonly polls: { readonly tabs: number; readonly lastMs: number } | null;
  /** A last packet that is not full is held back until all before it are acknowledged, which the browser puts off for this long. */
  readonly tailMs: number;
  /** After a restart at night what is asked for is made anew, that many times slower, until users have warmed it between these hours. */
  readonly cold: { readonly factor: number; readonly hours: readonly [number, number] } | null;
}

export interface WorldRequest {
  readonly host: string;
  readonly template: string;
  readonly type: ResourceType;
  /** Begins after the document (1), after scripts and styles (2), or once those have run (3); the document is 0. */
  readonly stage: 0 | 1 | 2 | 3;
  readonly traits: RequestTraits;
  readonly variants?: readonly Variant<RequestTraits>[];
}

export interface RequestTraits {
  readonly count: number;
  readonly serviceMs: number;
  readonly spread: number;
  /** Part of the service that holds a connection to the database. */
  readonly poolMs: number;
  readonly bytes: number;
  /** 0 is never kept. */
  readonly maxAgeMs: number;
  /** Has an ETag: asked again with it once too old. */
  readonly validator: boolean;
  /** Addresses that share this template. */
  readonly items: number;
  /** A few requests are another kind of work: exports, reports. */
  readonly rare: { readonly share: number; readonly serviceMs: number; readonly bytes: number } | null;
  readonly errorShare: number;
  readonly errorStatus: number;
  /** Redirects before it; across origins their time is hidden. */
  readonly hops: number;
  readonly hopMs: number;
  readonly hopsCross: boolean;
  /** Answered by a service worker. */
  readonly worker: boolean;
  /** Stays open on purpose until the server has something to say. */
  readonly heldMs: number;
}

export interface WorldApp {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly weight: number;
  readonly thinkMs: number;
  readonly views: number;
  readonly pages: readonly WorldPage[];
}

export interface WorldPage {
  readonly weight: number;
  readonly requests: readonly WorldRequest[];
}

export interface Habits {
  /** What the browser itself adds before each request, and before each that is new. */
  readonly blockedMs: number;
  readonly connectMs: number;
  /** Factor on its distance to everything. */
  readonly distance: number;
  readonly neverCaches: boolean;
  readonly idleMs: number;
  /** Factor on how much it is used; only by browser and day. */
  readonly activity: number;
  readonly slowLine: number;
  /** Room for stored responses. */
  readonly cacheBytes: number;
  /** What scans each download before it hands it on: for each, and for each MB. */
  readonly scanMs: number;
  readonly scanMsPerMb: number;
  /** What the browser waits for beside each lookup, such as a record that a resolver doesn't know. */
  readonly lookupMs: number;
  readonly sendsErrors: number;
}

/** A browser as conditions see it. */
export interface Subject {
  readonly number: number;
  readonly site: { readonly name: string };
  readonly engine: BrowserEngine;
  readonly version: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
export const SERVERS_OFFSET_MS = HOUR_MS;

/** @param at epoch ms */
export function holds(when: When, plan: WorldPlan, subject: Subject, at: number): boolean {
  if (when.fromDay !== undefined && at < plan.from + when.fromDay * DAY_MS) return false;
  if (when.beforeDay !== undefined && at >= plan.from + when.beforeDay * DAY_MS) return false;
  if (when.sites !== undefined && !when.sites.includes(subject.site.name)) return false;
  if (when.engine !== undefined && when.engine !== subject.engine) return false;
  if (when.version !== undefined && when.version !== subject.version) return false;
  if (when.browsers !== undefined && !when.browsers.includes(subject.number)) return false;
  const local = at + SERVERS_OFFSET_MS;
  if (when.hours !== undefined && !isIn((local % DAY_MS) / HOUR_MS, when.hours)) return false;
  if (when.minutes !== undefined && !isIn((local % HOUR_MS) / 60_000, when.minutes)) return false;
  return when.weekdays === undefined || when.weekdays.includes(new Date(local).getUTCDay());
}

function isIn(value: number, [from, to]: readonly [number, number]): boolean {
  return value >= from && value < to;
}

/** The traits of a site, a host or a request for that browser at that time. */
export function traitsAt<T>(
  { traits, variants }: { readonly traits: T; readonly variants?: readonly Variant<T>[] },
  plan: WorldPlan,
  subject: Subject,
  at: number,
): T {
  if (variants === undefined) return traits;
  let now = traits;
  for (const { when, set } of variants) if (holds(when, plan, subject, at)) now = { ...now, ...set };
  return now;
}
