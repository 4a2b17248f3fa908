import type { BrowserEngine, ResourceType, Scheme } from '../../shared/vocabulary/vocabulary.ts';

/**
 * A fleet as plain data: who browses from where, what they open, and how the servers and the lines between behave. Causes of
 * slowness are functions from plan to plan (causes.ts). `generateFleet` plays it request by request. Times are ms unless the
 * name says otherwise; medians of lognormal draws where nothing else is said.
 */
export interface FleetPlan {
  readonly name: string;
  readonly seed: number;
  /** First day, UTC midnight, epoch ms. */
  readonly from: number;
  readonly days: number;
  /** About how many samples; visits are scaled to it, so that a smaller fleet has the same idle times. */
  readonly samples: number;
  readonly sites: readonly SitePlan[];
  readonly hosts: readonly HostPlan[];
  readonly apps: readonly AppPlan[];
  readonly probes: readonly ProbePlan[];
  /** A browser by its number, worse than its colleagues. */
  readonly sick?: { readonly browser: number; readonly blockedMs: number; readonly rttFactor: number };
  readonly annotations?: readonly { readonly day: number; readonly text: string }[];
}

/** Where hosts stand, as seen from a site. */
export type Place = 'centre' | 'cdn' | 'outside';

export interface SitePlan {
  readonly name: string;
  readonly kind: 'office' | 'vpn' | 'home';
  readonly browsers: number;
  readonly firefoxShare: number;
  /** Hours to add to UTC. */
  readonly zoneHours: number;
  /** Round trip to each place. */
  readonly rttMs: Readonly<Record<Place, number>>;
  /** Spread of the round trip: sigma of its logarithm, per request. */
  readonly jitter: number;
  readonly lineMbps: number;
  /** Probability that a packet is lost: a lost SYN costs 1 s, then 2 s more; a lost request a retransmission. */
  readonly loss: number;
  /** A lookup that no cache answers. */
  readonly dnsMs: number;
  /** Visits compared with an office user, and how many of them happen on a day off. */
  readonly activity: number;
  readonly weekend: number;
  /** Local hours of work. */
  readonly hours: readonly [number, number];
  /** A proxy that terminates TLS at the site. */
  readonly inspection?: { readonly issuer: string; readonly extraMs: number };
  /** Hours in which the site's line is full: its share of the bandwidth, and the queue that adds to every round trip. */
  readonly busyLine?: { readonly hours: readonly [number, number]; readonly share: number; readonly queueMs: number };
}

export interface HostPlan {
  readonly name: string;
  readonly scheme: Scheme;
  readonly place: Place;
  readonly protocol: 'http/1.1' | 'h2' | 'h3';
  readonly tls: '1.2' | '1.3';
  /** Whether sessions are resumed. */
  readonly tickets: boolean;
  /** What a full handshake costs the server. */
  readonly handshakeMs: number;
  readonly keepAliveMs: number;
  /** Timing-Allow-Origin; without it a host of another origin is opaque. */
  readonly timingAllowed: boolean;
  readonly serverTiming: boolean;
  /** Says in Server-Timing whether the session was resumed. */
  readonly tellsHandshake: boolean;
  readonly loss: number;
  readonly serverFactor: number;
  /** Milliseconds for which a lookup stays in the browser's cache. */
  readonly dnsTtlMs: number;
  readonly busyHours?: { readonly hours: readonly [number, number]; readonly factor: number };
  /** 503 instead of an answer, for some hours of a day. */
  readonly errorBurst?: { readonly day: number; readonly hours: readonly [number, number]; readonly share: number };
  /** What is different from a day on. */
  readonly change?: {
    readonly day: number;
    readonly serverFactor?: number;
    readonly tickets?: boolean;
  };
}

export interface AppPlan {
  readonly id: string;
  readonly name: string;
  /** Part of all page views. */
  readonly weight: number;
  /** Its own host; what it loads from others is opaque without Timing-Allow-Origin. */
  readonly host: string;
  readonly pages: readonly PagePlan[];
  /** Statuses of answers that are errors, of each request. */
  readonly errorShare: number;
  /** Page views that the user leaves before they are complete. */
  readonly abandonShare: number;
  /** Time that a user stays on a page, ms. */
  readonly dwellMs: number;
}

export interface PagePlan {
  readonly template: string;
  readonly weight: number;
  readonly serverMs: number;
  readonly spread: number;
  readonly bytes: number;
  readonly resources: readonly ResourcePlan[];
  /** Hops before the document. */
  readonly redirects?: number;
  /** Endless requests while the page is open. */
  readonly live?: { readonly kind: 'long_poll' | 'event_stream'; readonly template: string; readonly host: string };
}

export interface ResourcePlan {
  readonly host: string;
  readonly template: string;
  readonly type: ResourceType;
  /** Begins after the document (1), after the scripts (2), or when these have run (3). */
  readonly stage: 1 | 2 | 3;
  readonly count: number;
  readonly serverMs: number;
  readonly spread: number;
  readonly bytes: number;
  /** How long a browser may keep it; 0 is never. */
  readonly cacheMs: number;
  /** From a day on. */
  readonly change?: { readonly day: number; readonly serverFactor: number };
}

export interface ProbePlan {
  readonly id: string;
  readonly app: string;
  readonly host: string;
  readonly template: string;
  readonly sites: readonly string[];
  readonly everyMinutes: number;
}

/** What a planted cause is, for comparison with what the product says. */
export interface Truth {
  readonly cause: CauseName;
  readonly app?: string;
  readonly host?: string;
  readonly template?: string;
  readonly site?: string;
  /** The browser's number in the fleet. */
  readonly browser?: number;
  readonly engine?: BrowserEngine;
  /** Day of the fleet, from 0. */
  readonly day?: number;
  /** First hour of the day in the servers' zone, UTC+1. */
  readonly hour?: number;
  /** The host is of no domain that an app's pages come from: whose it is cannot be told from requests alone. */
  readonly foreign?: true;
  /** Looks like a fault and is none: nothing should be claimed. */
  readonly decoy?: true;
}

export const CAUSE_NAMES = [
  'slow_endpoint',
  'packet_loss',
  'keep_alive_edge',
  'tickets_off',
  'no_resumption',
  'inspection',
  'far_site',
  'slow_dns',
  'large_downloads',
  'h1_queueing',
  'cold_caches',
  'overloaded_hour',
  'slow_third_party',
  'slow_third_party_visible',
  'sick_browser',
  'release_worse',
  'fix_better',
  'busy_site_line',
  'error_burst',
  'redirect_chain',
  'slow_host',
  'lossy_site',
  'long_polling',
  'event_stream',
  'weekend_lull',
  'home_wifi',
  'mixed_schemes',
  'abandoned_requests',
  'nothing',
] as const;
export type CauseName = (typeof CAUSE_NAMES)[number];

export interface PlantedFleet {
  readonly plan: FleetPlan;
  readonly truth: readonly Truth[];
}
