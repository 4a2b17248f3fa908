import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import type {
  AppPlan,
  CauseName,
  FleetPlan,
  HostPlan,
  PagePlan,
  PlantedFleet,
  ResourcePlan,
  SitePlan,
  Truth,
} from './plan.ts';

/** Plants one cause and says what it planted. Strengths are plain; where it is planted is drawn from the seed. */
export type Cause = (plan: FleetPlan, seed: number) => PlantedFleet;

/** Plants all of them, one after the other. */
export function plant(plan: FleetPlan, causes: readonly CauseName[], seed = plan.seed): PlantedFleet {
  return causes.reduce<PlantedFleet>(
    (planted, name) => {
      const next = CAUSES[name](planted.plan, seed);
      return { plan: next.plan, truth: [...planted.truth, ...next.truth] };
    },
    { plan, truth: [] },
  );
}

const CAUSES: Readonly<Record<CauseName, Cause>> = {
  /** One request's server time is eight times as long. */
  slow_endpoint(plan, seed) {
    const { app, resource } = calledMost(plan, seed);
    const slower = onResource(plan, app, resource, { serverMs: resource.serverMs * 8, spread: 0.6 });
    const truth = { cause: 'slow_endpoint', app: app.id, host: resource.host, template: resource.template } as const;
    return planted(slower, isForeign(plan, resource.host) ? { ...truth, foreign: true } : truth);
  },

  /** 6 % of the packets to one host are lost: a lost SYN is sent again after 1 s. */
  packet_loss(plan, seed) {
    const { app, host } = ownHost(plan, seed);
    const lossy = onHost(plan, host.name, { loss: 0.06, keepAliveMs: 15_000 });
    return planted(lossy, { cause: 'packet_loss', app: app.id, host: host.name });
  },

  /** The server closes connections after five seconds, sooner than users go on. */
  keep_alive_edge(plan, seed) {
    const { app, host } = ownHost(plan, seed);
    return planted(onHost(plan, host.name, { keepAliveMs: 5_000 }), {
      cause: 'keep_alive_edge',
      app: app.id,
      host: host.name,
    });
  },

  /** From a deploy on the server forgets its sessions; full handshakes cost it more than the network. */
  tickets_off(plan, seed) {
    const { app, host } = ownHost(plan, seed);
    const day = laterDay(plan, seed);
    const change = { day, tickets: false };
    const told = { tls: '1.2', tellsHandshake: true, handshakeMs: 45, keepAliveMs: 15_000, change } as const;
    return planted(onHost(plan, host.name, told), { cause: 'tickets_off', app: app.id, host: host.name, day });
  },

  /** Sessions were never resumed. */
  no_resumption(plan, seed) {
    const { app, host } = ownHost(plan, seed);
    const told = { tls: '1.2', tellsHandshake: true, handshakeMs: 45, keepAliveMs: 15_000, tickets: false } as const;
    return planted(onHost(plan, host.name, told), { cause: 'no_resumption', app: app.id, host: host.name });
  },

  /** A proxy at one office opens every TLS connection. */
  inspection(plan, seed) {
    const site = officeOf(plan, seed);
    const inspection = { issuer: 'CN=Web Gateway CA,O=Example Security', extraMs: 30 };
    return planted(onSite(plan, site.name, { inspection }), { cause: 'inspection', site: site.name });
  },

  /** One office is on another continent. */
  far_site(plan, seed) {
    const site = officeOf(plan, seed);
    const rttMs = { centre: 145, cdn: 18, outside: 120 };
    return planted(onSite(plan, site.name, { rttMs, jitter: 0.08 }), { cause: 'far_site', site: site.name });
  },

  slow_dns(plan, seed) {
    const site = officeOf(plan, seed);
    return planted(onSite(plan, site.name, { dnsMs: 320 }), { cause: 'slow_dns', site: site.name });
  },

  /** An answer of several megabytes, not cached. */
  large_downloads(plan, seed) {
    const { app, resource } = calledMost(plan, seed);
    const larger = onResource(plan, app, resource, { bytes: 6_000_000 });
    return planted(larger, { cause: 'large_downloads', app: app.id, host: resource.host, template: resource.template });
  },

  /** Two dozen uncached images over the six connections of HTTP/1.1. */
  h1_queueing(plan, seed) {
    const { app, host } = ownHost(plan, seed);
    const image: ResourcePlan = {
      host: host.name,
      template: '/thumbnails/{n}.jpg',
      type: 'image',
      stage: 2,
      count: 24,
      serverMs: 60,
      spread: 0.35,
      bytes: 30_000,
      cacheMs: 0,
    };
    const more = onApp(onHost(plan, host.name, { protocol: 'http/1.1' }), app.id, (old) => ({
      ...old,
      pages: old.pages.map((page) => ({ ...page, resources: [...page.resources, image] })),
    }));
    return planted(more, { cause: 'h1_queueing', app: app.id, host: host.name, template: image.template });
  },

  /** Nothing may be cached: scripts, styles and images come over the network each time. */
  cold_caches(plan, seed) {
    const app = appOf(plan, seed);
    const never = onApp(plan, app.id, (old) => eachResource(old, (resource) => ({ ...resource, cacheMs: 0 })));
    return planted(never, { cause: 'cold_caches', app: app.id });
  },

  /** Every day from ten to eleven, in the centre's time zone. */
  overloaded_hour(plan, seed) {
    const { app, host } = ownHost(plan, seed);
    const busyHours = { hours: [10, 11], factor: 9 } as const;
    const busy = onHost(plan, host.name, { busyHours });
    return planted(busy, { cause: 'overloaded_hour', app: app.id, host: host.name, hour: busyHours.hours[0] });
  },

  /** Of a third party that allows no timing only the total is known. */
  slow_third_party(plan, seed) {
    return thirdParty(plan, seed, 'slow_third_party', false);
  },

  slow_third_party_visible(plan, seed) {
    return thirdParty(plan, seed, 'slow_third_party_visible', true);
  },

  /** Something in one browser keeps each request back. */
  sick_browser(plan, seed) {
    const browsers = plan.sites.reduce((sum, site) => sum + site.browsers, 0);
    const browser = Math.floor(drawn(seed, 11) * browsers);
    return planted({ ...plan, sick: { browser, blockedMs: 900, rttFactor: 3 } }, { cause: 'sick_browser', browser });
  },

  release_worse(plan, seed) {
    return release(plan, seed, 'release_worse', 1.7);
  },

  fix_better(plan, seed) {
    return release(plan, seed, 'fix_better', 0.55);
  },

  /** One office's line is full from nine to twelve. */
  busy_site_line(plan, seed) {
    const site = officeOf(plan, seed);
    const busyLine = { hours: [9, 12], share: 0.03, queueMs: 120 } as const;
    return planted(onSite(plan, site.name, { busyLine }), { cause: 'busy_site_line', site: site.name });
  },

  error_burst(plan, seed) {
    const { app, host } = ownHost(plan, seed);
    const day = workingDay(plan, laterDay(plan, seed));
    const errorBurst = { day, hours: [7, 20], share: 0.5 } as const;
    return planted(onHost(plan, host.name, { errorBurst }), {
      cause: 'error_burst',
      app: app.id,
      host: host.name,
      day,
    });
  },

  /** Three redirects before each document. */
  redirect_chain(plan, seed) {
    const app = appOf(plan, seed);
    const chained = onApp(plan, app.id, (old) => ({
      ...old,
      pages: old.pages.map((page) => ({ ...page, redirects: 3 })),
    }));
    return planted(chained, { cause: 'redirect_chain', app: app.id, host: app.host });
  },

  /** All that one host answers takes its server four times as long. */
  slow_host(plan, seed) {
    const { app, host } = ownHost(plan, seed);
    return planted(onHost(plan, host.name, { serverFactor: 4 }), { cause: 'slow_host', app: app.id, host: host.name });
  },

  /** One office's line loses packets, whatever the host. */
  lossy_site(plan, seed) {
    const site = officeOf(plan, seed);
    return planted(onSite(plan, site.name, { loss: 0.05 }), { cause: 'lossy_site', site: site.name });
  },

  /** Requests that wait half a minute for something to happen. */
  long_polling(plan, seed) {
    return live(plan, seed, 'long_polling', { kind: 'long_poll', template: '/events/poll' });
  },

  /** Responses that go on for as long as the page is open. */
  event_stream(plan, seed) {
    return live(plan, seed, 'event_stream', { kind: 'event_stream', template: '/events/stream' });
  },

  /** Hardly anybody works at the weekend, and those who do are at home. */
  weekend_lull(plan) {
    const sites = plan.sites.map((site) => ({ ...site, weekend: site.kind === 'office' ? 0 : 0.15 }));
    return planted({ ...plan, sites }, { cause: 'weekend_lull', decoy: true });
  },

  /** People at home have a slower and less steady line; no server is to blame. */
  home_wifi(plan) {
    const sites = plan.sites.map((site) =>
      site.kind === 'home' ? { ...site, jitter: 0.5, lineMbps: 16, loss: 0.004 } : site,
    );
    return planted({ ...plan, sites }, { cause: 'home_wifi', decoy: true });
  },

  /** An app over plain HTTP beside the others over HTTPS: no comparison of one with the other says what TLS costs. */
  mixed_schemes(plan, seed) {
    const { host } = ownHost(plan, seed);
    const plain = onHost(plan, host.name, { scheme: 'http', protocol: 'http/1.1', tellsHandshake: false });
    const probes = plan.probes.filter((probe) => probe.host !== host.name);
    return planted({ ...plain, probes }, { cause: 'mixed_schemes', host: host.name, decoy: true });
  },

  /** Users who go on before a page is complete cut its requests off. */
  abandoned_requests(plan, seed) {
    const app = appOf(plan, seed);
    return planted(
      onApp(plan, app.id, (old) => ({ ...old, abandonShare: 0.3 })),
      { cause: 'abandoned_requests', app: app.id, decoy: true },
    );
  },

  nothing: (plan) => planted(plan, { cause: 'nothing', decoy: true }),
};

function planted(plan: FleetPlan, truth: Truth): PlantedFleet {
  return { plan, truth: [truth] };
}

/** The same number for the same seed and purpose, whatever else is planted. */
function drawn(seed: number, purpose: number): number {
  return seededRandom(seed * 131 + purpose)();
}

function chosen<T>(items: readonly T[], seed: number, purpose: number): T {
  const item = items[Math.floor(drawn(seed, purpose) * items.length)];
  if (item === undefined) throw new Error('The plan has nowhere to plant this cause.');
  return item;
}

/** One of the apps that are used enough for a fault in it to be seen. */
function appOf(plan: FleetPlan, seed: number): AppPlan {
  return chosen([...plan.apps].sort((a, b) => b.weight - a.weight).slice(0, 3), seed, 1);
}

function ownHost(plan: FleetPlan, seed: number): { app: AppPlan; host: HostPlan } {
  const app = appOf(plan, seed);
  const host = plan.hosts.find(({ name }) => name === app.host);
  if (host === undefined) throw new Error(`The plan has no host ${app.host}.`);
  return { app, host };
}

/** One of the app's requests for data. */
function calledMost(plan: FleetPlan, seed: number): { app: AppPlan; resource: ResourcePlan } {
  const withCalls = plan.apps.filter((app) => app.pages.some((page) => page.resources.some(isCall)));
  const app = chosen([...withCalls].sort((a, b) => b.weight - a.weight).slice(0, 3), seed, 1);
  return {
    app,
    resource: chosen(
      app.pages.flatMap((page) => page.resources.filter(isCall)),
      seed,
      2,
    ),
  };
}

function isForeign({ apps }: FleetPlan, host: string): boolean {
  const domainOf = (name: string) => name.split('.').slice(-2).join('.');
  return apps.every((app) => domainOf(app.host) !== domainOf(host));
}

function isCall({ type, serverMs }: ResourcePlan): boolean {
  return type === 'fetch' && serverMs > 20;
}

function officeOf(plan: FleetPlan, seed: number): SitePlan {
  // The largest office is the fleet's own normal.
  return chosen(plan.sites.filter(({ kind }) => kind === 'office').slice(1), seed, 3);
}

/** With at least a quarter of the days on each side. */
function laterDay(plan: FleetPlan, seed: number): number {
  return workingDay(plan, Math.floor(plan.days * (0.35 + 0.35 * drawn(seed, 4))));
}

/** The same day, or the Monday after. */
function workingDay(plan: FleetPlan, day: number): number {
  const weekday = new Date(plan.from + day * 24 * 3_600_000).getUTCDay();
  return day + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
}

function onHost(plan: FleetPlan, name: string, change: Partial<HostPlan>): FleetPlan {
  return { ...plan, hosts: plan.hosts.map((host) => (host.name === name ? { ...host, ...change } : host)) };
}

function onSite(plan: FleetPlan, name: string, change: Partial<SitePlan>): FleetPlan {
  return { ...plan, sites: plan.sites.map((site) => (site.name === name ? { ...site, ...change } : site)) };
}

function onApp(plan: FleetPlan, id: string, change: (app: AppPlan) => AppPlan): FleetPlan {
  return { ...plan, apps: plan.apps.map((app) => (app.id === id ? change(app) : app)) };
}

function eachResource(app: AppPlan, change: (resource: ResourcePlan) => ResourcePlan): AppPlan {
  const pages = app.pages.map((page): PagePlan => ({ ...page, resources: page.resources.map(change) }));
  return { ...app, pages };
}

/** Wherever the app makes the same request. */
function onResource(plan: FleetPlan, app: AppPlan, to: ResourcePlan, change: Partial<ResourcePlan>): FleetPlan {
  return onApp(plan, app.id, (old) =>
    eachResource(old, (resource) =>
      resource.host === to.host && resource.template === to.template ? { ...resource, ...change } : resource,
    ),
  );
}

function thirdParty(
  plan: FleetPlan,
  seed: number,
  cause: 'slow_third_party' | 'slow_third_party_visible',
  timingAllowed: boolean,
): PlantedFleet {
  const app = appOf(plan, seed);
  const [known] = plan.hosts;
  if (known === undefined) throw new Error('The plan has no hosts.');
  const host: HostPlan = {
    ...known,
    name: 'consent.example.net',
    place: 'outside',
    protocol: 'h2',
    tls: '1.3',
    timingAllowed,
    serverTiming: false,
    tellsHandshake: false,
  };
  const script: ResourcePlan = {
    host: host.name,
    template: '/banner.js',
    type: 'script',
    stage: 1,
    count: 1,
    serverMs: 650,
    spread: 0.4,
    bytes: 30_000,
    cacheMs: 0,
  };
  const asked = onApp({ ...plan, hosts: [...plan.hosts, host] }, app.id, (old) => ({
    ...old,
    pages: old.pages.map((page) => ({ ...page, resources: [...page.resources, script] })),
  }));
  return planted(asked, { cause, app: app.id, host: host.name, template: script.template });
}

function release(
  plan: FleetPlan,
  seed: number,
  cause: 'release_worse' | 'fix_better',
  serverFactor: number,
): PlantedFleet {
  const { app, host } = ownHost(plan, seed);
  const day = laterDay(plan, seed);
  const changed = onHost(plan, host.name, { change: { ...host.change, day, serverFactor } });
  return planted(changed, { cause, app: app.id, host: host.name, day });
}

function live(
  plan: FleetPlan,
  seed: number,
  cause: 'long_polling' | 'event_stream',
  request: { readonly kind: 'long_poll' | 'event_stream'; readonly template: string },
): PlantedFleet {
  const app = appOf(plan, seed);
  const watched = onApp(plan, app.id, (old) => ({
    ...old,
    // Whoever watches a page leaves it open.
    dwellMs: Math.max(old.dwellMs, 70_000),
    pages: old.pages.map((page, index) => (index === 0 ? { ...page, live: { ...request, host: app.host } } : page)),
  }));
  return planted(watched, { cause, app: app.id, host: app.host, template: request.template, decoy: true });
}
