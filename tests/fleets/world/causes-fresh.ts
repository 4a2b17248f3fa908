import { changeHabits, changeHost, changeSite, type Ground, type QuietWorld, type WorldCause } from './planting.ts';
import type { HostTraits, WorldApp, WorldHost, WorldPlan, WorldRequest, WorldSite } from './world-plan.ts';

const HOME = 'Homeworkers';
const NEW_VERSION = '158';
const DAY_MS = 86_400_000;

/** Incidents as operators tell of them, written without knowing how findings are found; for the bench alone. */
export const CAUSES_FRESH: readonly WorldCause[] = [
  {
    // A release keeps what its user may do in cookies, which go with every request, images too.
    name: 'cookies that grew since a release',
    prepare: (ground) => moreUseSince(ground.day(), ground),
    plant(ground) {
      const day = ground.day();
      const { name } = ground.host(isOwn, 0.1);
      const kilobytes = perRequest(ground, { host: name }, day) / 2.4;
      const cookieBytes = Math.round(1000 * Math.min(60, Math.max(4, kilobytes)));
      const plan = changeHost(ground.plan, name, { fromDay: day }, { cookieBytes });
      return {
        plan,
        cause: { places: [{ host: name }], quantities: ['wait', 'ttlb'], day, direction: 'slower' },
      };
    },
  },
  {
    // It reads each file to the end before the browser gets it; what is in the browser's cache was read before.
    name: 'a security agent that scans downloads at one site since a day',
    plant(ground) {
      const site = ground.site();
      const day = ground.day();
      const each = perRequest(ground, { site: site.name }, day);
      const when = { sites: [site.name], fromDay: day };
      const plan = changeHabits(ground.plan, when, { scanMs: 0.3 * each, scanMsPerMb: 28 * each });
      return {
        plan,
        cause: { places: [{ site: site.name }], quantities: ['receive', 'ttlb'], day, direction: 'slower' },
      };
    },
  },
  {
    // All log in after the weekend, and updates of the weekend come down.
    name: 'a VPN concentrator that is full on Monday mornings',
    plant(ground) {
      const time = { hours: [8, 12], weekdays: [1] } as const;
      const place = { site: HOME, ...time };
      const gatewayMs = perRequest(ground, place) / 13;
      const plan = changeSite(ground.plan, HOME, time, { lineLoad: 0.9, gatewayMs });
      const quantities = ['wait', 'receive', 'blocked', 'tcp', 'tls', 'ttlb'] as const;
      const places = [place, { site: HOME, weekdays: time.weekdays }];
      return { plan, cause: { places, quantities, direction: 'slower' } };
    },
  },
  {
    // The new certificate names a responder that the office's firewall lets nobody reach; only Firefox asks it.
    name: 'a new certificate whose revocation Firefox waits for',
    plant(ground) {
      const { name } = ground.host(({ scheme }) => scheme === 'https', 0.1);
      const day = ground.day();
      const place = { host: name, engine: 'firefox' } as const;
      const full = 0.5 * ground.usual.count({ ...place, connection: 'new' });
      const revocationMs = Math.min(2500, (ground.costMs * ground.since(day)) / Math.max(1, full));
      const plan = changeHost(ground.plan, name, { engine: 'firefox', fromDay: day }, { revocationMs });
      const quantities = ['tls', 'ttlb'] as const;
      return { plan, cause: { places: [place], quantities, day, direction: 'slower' } };
    },
  },
  {
    // It asks for a kind of record that resolvers in offices drop. Browsers get it one after another, so no day is the first.
    name: 'a version that is rolled out and waits for a record that no resolver knows',
    prepare: ({ plan }) => withNewVersion(plan),
    plant(ground) {
      const place = { engine: 'chromium', engineVersion: NEW_VERSION } as const;
      const lookups = 0.05 * ground.usual.count({ engine: 'chromium' }) * 0.3;
      const lookupMs = ground.costMs / lookups;
      const when = { engine: 'chromium', version: NEW_VERSION } as const;
      return {
        plan: changeHabits(ground.plan, when, { lookupMs }),
        cause: { places: [place], quantities: ['dns', 'blocked', 'ttlb'], direction: 'slower' },
      };
    },
  },
  {
    // A machine was taken away, its address is still told by DNS.
    name: 'a dead address among those of a name since a day',
    prepare: (ground) => holiday(ground, ground.day()),
    plant(ground) {
      const day = ground.day();
      const { name, traits } = ground.host(({ protocol, machines }) => protocol !== 'h3' && machines >= 2, 0.1);
      const share = 1 / traits.machines;
      const tried = share * ground.usual.count({ host: name, connection: 'new' });
      const afterMs = Math.min(6000, (ground.costMs * ground.since(day)) / Math.max(1, tried));
      const plan = changeHost(ground.plan, name, { fromDay: day }, { deadAddress: { share, afterMs } });
      return {
        plan,
        cause: {
          places: [{ host: name }, { host: name, connection: 'new' }],
          quantities: ['tcp', 'blocked', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    // A quota for each client, and what is too much is kept waiting, not refused.
    name: 'a gateway that lets the requests of each browser through one by one since a day',
    plant(ground) {
      const { name } = ground.host((traits, host) => isOwn(traits, host) && isCalledAtOnce(ground.plan, host), 0.1);
      const day = ground.day();
      const paceMs = 3.5 * perRequest(ground, { host: name }, day);
      const plan = changeHost(ground.plan, name, { fromDay: day }, { paceMs });
      return {
        plan,
        cause: { places: [{ host: name }], quantities: ['wait', 'ttlb'], day, direction: 'slower' },
      };
    },
  },
  {
    // A tunnel on the way takes smaller packets, and the firewall swallows what would say so.
    name: 'a way that loses large packets between one site and one host',
    plant(ground) {
      const site = ground.site(0.15);
      const { name } = ground.host(({ protocol }) => protocol !== 'h3', 0.15);
      const place = { host: name, site: site.name };
      const connections = ground.usual.count({ ...place, connection: 'new' });
      const packetStallMs = Math.min(6000, ground.costMs / Math.max(1, connections));
      const plan = changeHost(ground.plan, name, { sites: [site.name] }, { packetStallMs });
      return {
        plan,
        cause: {
          places: [place, { ...place, connection: 'new' }],
          quantities: ['wait', 'tls', 'ttlb'],
          direction: 'slower',
        },
      };
    },
  },
  {
    // News that are pushed: each open tab keeps one of the six connections that HTTP/1.1 may have.
    name: 'open tabs that take the connections of an HTTP/1.1 host since a day',
    plant(ground) {
      const { name } = ground.host(({ protocol }) => protocol === 'http/1.1', 0.07);
      const day = ground.day();
      const lastMs = Math.min(40_000, 60 * perRequest(ground, { host: name }, day));
      const plan = changeHost(ground.plan, name, { fromDay: day }, { polls: { tabs: 3.2, lastMs } });
      return {
        plan,
        cause: { places: [{ host: name }], quantities: ['blocked', 'ttlb'], day, direction: 'slower' },
      };
    },
  },
  {
    // Profiles on virtual desktops have a quota, and the browser's cache counts.
    name: 'virtual desktops with little room for the browser cache at one site',
    plant(ground) {
      const site = ground.site();
      // With none at all they would wait a third longer.
      const longer = Math.min(0.33, ground.cost / ground.share({ site: site.name }));
      const cacheBytes = Math.round(125_000 * Math.log(0.36 / longer));
      const plan = changeHabits(ground.plan, { sites: [site.name] }, { cacheBytes });
      const quantities = ['cached', 'bytes', 'receive', 'wait', 'ttlb'] as const;
      return { plan, cause: { places: [{ site: site.name }], quantities, direction: 'slower' } };
    },
  },
  {
    // Its network library writes the last piece only once the browser has acknowledged the others.
    name: 'a server that holds back the last packet of an answer',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.1);
      const tailMs = Math.min(200, 2.5 * perRequest(ground, { host: name }));
      const plan = changeHost(ground.plan, name, {}, { tailMs });
      return {
        plan,
        cause: {
          places: [{ host: name }, { host: name, connection: 'reused' }],
          quantities: ['receive', 'ttlb'],
          direction: 'slower',
        },
      };
    },
  },
  {
    // Restarted each night, it reads everything from the database again until the first users have warmed its memory.
    name: 'a server that is cold in the morning',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.12);
      const hours = [7, 10] as const;
      const factor = 1 + ground.cost / (0.5 * 0.5 * ground.share({ host: name, hours }));
      const plan = changeHost(ground.plan, name, {}, { cold: { factor, hours } });
      const quantities = ['wait', 'ttlb'] as const;
      return { plan, cause: { places: [{ host: name, hours }], quantities, direction: 'slower' } };
    },
  },
];

export const QUIET_FRESH: readonly QuietWorld[] = [
  {
    name: 'usage that grows from day to day',
    change({ plan }) {
      let grown = plan;
      for (let day = 0; day < plan.days; day++) {
        grown = changeHabits(grown, { fromDay: day }, { activity: 0.6 + (0.9 * day) / plan.days });
      }
      return grown;
    },
  },
  { name: 'a holiday week at one site', change: (ground) => holiday(ground, ground.day()) },
  {
    // The ids of browsers change with the month.
    name: 'a month that ends in the middle',
    change: ({ plan }) => ({ ...plan, from: Date.UTC(2026, 8, 14) }),
  },
  {
    // Served from a region of its own, as far from its users as the other one from theirs.
    name: 'two time zones',
    change({ plan }) {
      const sites = plan.sites.map((site, index) => (index % 2 === 0 ? site : { ...site, zoneHours: -5 }));
      return { ...plan, sites };
    },
  },
  {
    name: 'half of all browsers on mobile lines, at every site',
    change(ground) {
      const browsers = browserNumbers(ground.plan).filter((number) => number % 2 === 0);
      return changeHabits(ground.plan, { browsers }, { distance: 1.8, slowLine: 2 });
    },
  },
  {
    name: 'Mondays that are twice as busy',
    change: ({ plan }) => changeHabits(plan, { weekdays: [1] }, { activity: 2 }),
  },
  {
    name: 'as many Firefox as Chromium',
    change: ({ plan }) => ({ ...plan, sites: plan.sites.map((site) => ({ ...site, firefoxShare: 0.5 })) }),
  },
  {
    name: 'many small apps',
    change({ plan }) {
      const more = ['east', 'west', 'north', 'south'].map((part) => copied(plan, part));
      const apps = [...plan.apps, ...more.flatMap((one) => one.apps)];
      return { ...plan, apps, hosts: [...plan.hosts, ...more.flatMap((one) => one.hosts)] };
    },
  },
  {
    name: 'one app alone',
    change({ plan }) {
      const apps = plan.apps.slice(0, 1);
      const requests = apps.flatMap(({ pages }) => pages.flatMap((page) => page.requests));
      const used = new Set(requests.map(({ host }) => host));
      return { ...plan, apps, hosts: plan.hosts.filter(({ name }) => used.has(name)) };
    },
  },
  {
    name: 'a new site that joins, one team a day',
    change(ground) {
      const { plan } = ground;
      const [first] = plan.sites;
      if (first === undefined) return plan;
      const site: WorldSite = { ...first, name: 'Porto', browsers: Math.max(8, Math.round(first.browsers * 0.6)) };
      const joined: WorldPlan = { ...plan, sites: [...plan.sites, site] };
      const day = ground.day();
      return browserNumbers(joined)
        .slice(-site.browsers)
        .reduce<WorldPlan>(
          (now, number, index) =>
            changeHabits(now, { browsers: [number], beforeDay: day + (index % 5) }, { activity: 0 }),
          joined,
        );
    },
  },
  {
    name: 'large downloads as normal business',
    change({ plan }) {
      const apps = plan.apps.map((app, index) => (index === 1 ? withDownload(app) : app));
      return { ...plan, apps };
    },
  },
  {
    name: 'work that by its nature sometimes takes long, everywhere alike',
    change({ plan }) {
      const spread = ({ traits, ...request }: WorldRequest): WorldRequest => ({
        ...request,
        traits: { ...traits, spread: traits.spread * 1.8 },
      });
      const apps = plan.apps.map((app) => ({
        ...app,
        pages: app.pages.map((page) => ({ ...page, requests: page.requests.map(spread) })),
      }));
      return { ...plan, apps };
    },
  },
];

function isOwn({ hitShare }: HostTraits, name: string): boolean {
  return hitShare === null && name.endsWith('corp.example');
}

/** Whether a page asks it for several things at the same time. */
function isCalledAtOnce({ apps }: WorldPlan, name: string): boolean {
  const pages = apps.flatMap((app) => app.pages);
  const atOnce = ({ requests }: (typeof pages)[number]) =>
    requests.reduce((n, { host, stage, traits }) => n + (host === name && stage === 3 ? traits.count : 0), 0);
  return pages.some((page) => atOnce(page) > 1);
}

/** ms that each request there has to take longer, for the wished cost. */
function perRequest(ground: Ground, place: Parameters<Ground['usual']['count']>[0], day = 0): number {
  const n =
    ground.usual.count({ ...place, connection: 'reused' }) + ground.usual.count({ ...place, connection: 'new' });
  return (ground.costMs * ground.since(day)) / Math.max(1, n);
}

/** Two sites are used more from that day on, which slows nothing down. */
function moreUseSince(day: number, { plan }: Ground): WorldPlan {
  const sites = plan.sites.slice(1, 3).map(({ name }) => name);
  return changeHabits(plan, { fromDay: day, sites }, { activity: 1.5 });
}

/** Few work at the second site in the week of that day. */
function holiday({ plan }: Ground, day: number): WorldPlan {
  const weekday = new Date(plan.from + day * DAY_MS).getUTCDay();
  const monday = day - ((weekday + 6) % 7);
  const sites = [plan.sites[1]?.name ?? ''];
  return changeHabits(plan, { fromDay: monday, beforeDay: monday + 7, sites }, { activity: 0.06 });
}

function withNewVersion(plan: WorldPlan): WorldPlan {
  const days = Math.round(plan.days * 0.5);
  return {
    ...plan,
    rollOut: {
      engine: 'chromium',
      fullVersion: `${NEW_VERSION}.0.7982.12`,
      fromDay: Math.round(plan.days * 0.2),
      days,
      share: 0.7,
    },
  };
}

function browserNumbers({ sites }: WorldPlan): number[] {
  return Array.from({ length: sites.reduce((sum, { browsers }) => sum + browsers, 0) }, (_, number) => number);
}

/** The apps once more, on hosts of their own; what several apps share stays shared. */
function copied(plan: WorldPlan, part: string): { readonly apps: WorldApp[]; readonly hosts: WorldHost[] } {
  const own = new Set(plan.apps.map(({ host }) => host));
  const renamed = (host: string) => (own.has(host) ? `${part}.${host}` : host);
  return {
    apps: plan.apps.map((app) => ({
      ...app,
      id: `${app.id}-${part}`,
      name: `${app.name} ${part}`,
      host: renamed(app.host),
      pages: app.pages.map((page) => ({
        ...page,
        requests: page.requests.map((request) => ({ ...request, host: renamed(request.host) })),
      })),
    })),
    hosts: plan.hosts.filter(({ name }) => own.has(name)).map((host) => ({ ...host, name: renamed(host.name) })),
  };
}

/** A page from which people take plans and catalogues of two megabytes. */
function withDownload(app: WorldApp): WorldApp {
  const [page] = app.pages;
  const document = page?.requests.find(({ stage }) => stage === 0);
  if (document === undefined) return app;
  const file: WorldRequest = {
    host: app.host,
    template: '/download/{n}',
    type: 'fetch',
    stage: 3,
    traits: { ...document.traits, serviceMs: 25, bytes: 2_000_000, items: 300 },
  };
  const shown = { ...document, template: '/downloads' };
  return { ...app, pages: [...app.pages, { weight: 0.8, requests: [shown, file] }] };
}
