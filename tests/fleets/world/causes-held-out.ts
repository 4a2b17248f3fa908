import {
  changeHabits,
  changeHost,
  changeRequests,
  type Ground,
  isSameRequest,
  type QuietWorld,
  type WorldCause,
} from './planting.ts';
import type { SiteTraits, When, WorldPlan } from './world-plan.ts';

/** Share of a host's waiting that its servers make. */
const SERVED = 0.65;
const RTT_PLACES = ['house', 'cloud', 'edge', 'abroad'] as const;

function changeSite(plan: WorldPlan, name: string, when: When, set: Partial<SiteTraits>): WorldPlan {
  const sites = plan.sites.map((site) =>
    site.name === name ? { ...site, variants: [...(site.variants ?? []), { when, set }] } : site,
  );
  return { ...plan, sites };
}

/** Requests at a place that went over a connection that can be measured. */
function measurable(
  ground: Ground,
  place: { readonly host?: string; readonly site?: string; readonly template?: string },
): number {
  return ground.usual.count({ ...place, connection: 'new' }) + ground.usual.count({ ...place, connection: 'reused' });
}

/** For the bench alone: whoever works on the rules of the diagnosis doesn't read this file. */
export const CAUSES_HELD_OUT: readonly WorldCause[] = [
  {
    name: 'a backup on one day of the week',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.12);
      const weekdays = [1 + ground.random.whole(5)];
      const hours = ground.one([
        [9, 12],
        [13, 16],
        [14, 17],
      ] as const);
      const inside = ground.share({ host: name, weekdays, hours });
      const work = 1 + ground.cost / (inside * SERVED);
      const plan = changeHost(ground.plan, name, { weekdays, hours }, { work });
      return {
        plan,
        cause: { places: [{ host: name, weekdays, hours }], quantities: ['wait', 'ttlb'], direction: 'slower' },
      };
    },
  },
  {
    name: 'a balancer without shared tickets that closes sooner, since a day',
    prepare(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.12);
      return changeHost(ground.plan, name, {}, { handshakeMs: 110, tellsHandshake: true, machines: 8 });
    },
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.12);
      const day = ground.day();
      const plan = changeHost(ground.plan, name, { fromDay: day }, { sharedTickets: false, idleMs: 15_000 });
      return {
        plan,
        cause: {
          places: [{ host: name }, { host: name, connection: 'new' }],
          quantities: ['full_handshakes', 'tls', 'tcp', 'new_connections', 'blocked', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'a name with a slow server and a short life, since a day',
    plant(ground) {
      const { name } = ground.host(() => true, 0.1);
      const day = ground.day();
      const fresh = ground.usual.count({ host: name, connection: 'new' });
      const nameMs = (0.9 * ground.costMs * ground.since(day)) / Math.max(1, fresh);
      const plan = changeHost(ground.plan, name, { fromDay: day }, { dnsTtlMs: 1000, nameMs });
      return {
        plan,
        cause: {
          places: [{ host: name }, { host: name, connection: 'new' }],
          quantities: ['lookups', 'dns', 'blocked', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'an address that does not answer from one site',
    plant(ground) {
      const site = ground.site();
      const fallbackMs = ground.one([250, 300]);
      // Where few connections are opened, the balancer keeps them shorter.
      const opened = ground.usual.count({ site: site.name, connection: 'new' });
      const idle = opened * fallbackMs < ground.costMs ? { idleMs: 30_000 } : {};
      let { plan } = ground;
      for (const { name } of plan.hosts.filter(({ name }) => name.endsWith('corp.example'))) {
        plan = changeHost(plan, name, { sites: [site.name] }, { fallbackMs, ...idle });
      }
      return {
        plan,
        cause: {
          places: [{ site: site.name }, { site: site.name, connection: 'new' }],
          quantities: ['tcp', 'ttlb', 'blocked', 'new_connections'],
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'two redirects before the pages of an app, since a day',
    plant(ground) {
      const app = ground.one(ground.plan.apps.filter(({ id }) => ground.share({ target: id }) >= 0.12));
      const day = ground.day();
      const documents = ground.usual.count({ target: app.id, type: 'document' });
      const hopMs = Math.max(5, (ground.costMs * ground.since(day)) / documents / 2 - 15);
      const plan = changeRequests(
        ground.plan,
        ({ type }, id) => id === app.id && type === 'document',
        { fromDay: day },
        () => ({ hops: 2, hopMs }),
      );
      return {
        plan,
        cause: {
          places: [{ target: app.id }, { host: app.host }],
          quantities: ['redirect', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'users who have to prove who they are on each connection',
    plant(ground) {
      const { name } = ground.host(({ distance }) => distance !== 'edge', 0.12);
      const app = ground.plan.apps.find(({ host }) => host === name);
      const day = ground.day();
      const plan = changeHost(
        ground.plan,
        name,
        { fromDay: day },
        { challenges: 2, protocol: 'http/1.1', idleMs: 10_000 },
      );
      return {
        plan,
        cause: {
          places: [{ host: name }, ...(app === undefined ? [] : [{ target: app.id }])],
          quantities: ['blocked', 'ttlb', 'new_connections', 'protocol'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'congestion windows that start again after a pause, since a day',
    prepare(ground) {
      const request = ground.request(({ type }) => type === 'document', 0.03);
      const bytes = 150_000;
      return changeRequests(
        ground.plan,
        ({ host, type }) => host === request.host && type === 'document',
        {},
        () => ({ bytes }),
      );
    },
    plant(ground) {
      const { host } = ground.request(({ type }) => type === 'document', 0.03);
      const day = ground.day();
      const plan = changeHost(ground.plan, host, { fromDay: day }, { windowResets: true });
      return {
        plan,
        cause: {
          places: [{ host }, { host, type: 'document' }],
          quantities: ['receive', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'machines that pause to collect garbage',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.1);
      const perRequest = ground.costMs / measurable(ground, { host: name });
      const lastMs = 700 + 900 * ground.random.uniform();
      // Half of a pause is left on average.
      const everyMs = (lastMs * lastMs) / 2 / perRequest;
      const plan = changeHost(ground.plan, name, {}, { pause: { everyMs, lastMs } });
      return { plan, cause: { places: [{ host: name }], quantities: ['wait', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'a path that fails in one version of an engine, since a day',
    plant(ground) {
      const request = ground.request(({ type }) => type === 'fetch', 0.02);
      const { host, template } = request;
      const version = ground.one(['155', '156', '157']);
      const day = ground.day();
      const when = { fromDay: day, engine: 'chromium', version } as const;
      const errorShare = 0.15 + 0.25 * ground.random.uniform();
      const plan = changeRequests(ground.plan, isSameRequest(request), when, () => ({ errorShare }));
      const browser = { engine: 'chromium', engineVersion: version } as const;
      return {
        plan,
        cause: {
          places: [
            { host, template },
            { host, template, ...browser },
          ],
          quantities: ['errors'],
          day,
          direction: 'slower',
          costless: true,
        },
      };
    },
  },
  {
    name: 'a proxy that inspects one host at one site, since a day',
    plant(ground) {
      const site = ground.site();
      const { name } = ground.host(() => true, 0.1);
      const day = ground.day();
      const n = measurable(ground, { host: name, site: site.name });
      const extraMs = (2.2 * ground.costMs * ground.since(day)) / n;
      const proxy = { hosts: [name], inspects: true, extraMs, slots: 40, load: 0.3 };
      const plan = changeSite(ground.plan, site.name, { fromDay: day }, { proxy });
      return {
        plan,
        cause: {
          places: [{ host: name, site: site.name }],
          quantities: ['tls', 'wait', 'protocol', 'blocked', 'full_handshakes', 'new_connections', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'a line that is narrower since a day',
    plant(ground) {
      const site = ground.site();
      const day = ground.day();
      const { mbps } = site.traits;
      // Kilobytes that a working day brings to this site take as much longer as the line is narrower.
      const narrower = 1 + (12 * ground.cost * ground.since(day)) / ground.share({ site: site.name });
      const plan = changeSite(ground.plan, site.name, { fromDay: day }, { mbps: mbps / narrower });
      return {
        plan,
        cause: { places: [{ site: site.name }], quantities: ['receive', 'ttlb'], day, direction: 'slower' },
      };
    },
  },
  {
    name: 'something that looks at each new connection of one engine',
    plant(ground) {
      const n = ground.usual.count({ engine: 'firefox', connection: 'new' });
      const connectMs = (0.7 * ground.costMs) / Math.max(1, n);
      const plan = changeHabits(ground.plan, { engine: 'firefox' }, { connectMs, idleMs: 40_000 });
      return {
        plan,
        cause: {
          places: [{ engine: 'firefox' }, { engine: 'firefox', connection: 'new' }],
          quantities: ['tcp', 'ttlb', 'blocked', 'new_connections'],
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'one in five calls that is another kind of work',
    plant(ground) {
      const request = ground.request(({ type }) => type === 'fetch', 0.025);
      const { host, template } = request;
      const share = 0.12 + 0.12 * ground.random.uniform();
      const serviceMs = request.traits.serviceMs + ground.costMs / (ground.usual.count({ host, template }) * share);
      const plan = changeRequests(ground.plan, isSameRequest(request), {}, ({ bytes }) => ({
        rare: { share, serviceMs, bytes },
      }));
      return { plan, cause: { places: [{ host, template }], quantities: ['wait', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'an edge cache that is emptied every morning',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare !== null, 0.03);
      const hours = ground.one([
        [7, 9],
        [8, 10],
      ] as const);
      const n =
        measurable(ground, { host: name }) * (ground.share({ host: name, hours }) / ground.share({ host: name }));
      const plan = changeHost(ground.plan, name, { hours }, { hitShare: 0.15, originMs: ground.costMs / n / 0.8 });
      return { plan, cause: { places: [{ host: name, hours }], quantities: ['wait', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'full handshakes that cost the server more since a day',
    plant(ground) {
      const { name } = ground.host(() => true, 0.1);
      const day = ground.day();
      const set = { handshakeMs: 60 + 80 * ground.random.uniform(), ticketMs: 0, idleMs: 12_000 };
      const plan = changeHost(ground.plan, name, { fromDay: day }, set);
      return {
        plan,
        cause: {
          places: [{ host: name }, { host: name, connection: 'new' }],
          quantities: ['tls', 'full_handshakes', 'new_connections', 'tcp', 'blocked', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'a site that got nearer on a day',
    prepare(ground) {
      const site = ground.site(0.14);
      const rttMs = { ...site.traits.rttMs };
      for (const place of RTT_PLACES) rttMs[place] += 55;
      return changeSite(ground.plan, site.name, {}, { rttMs });
    },
    plant(ground) {
      const site = ground.site(0.14);
      const day = ground.day();
      const { rttMs } = site.traits;
      const plan = changeSite(ground.plan, site.name, { fromDay: day }, { rttMs });
      return {
        plan,
        cause: {
          places: [{ site: site.name }],
          quantities: ['wait', 'tcp', 'tls', 'receive', 'ttlb'],
          day,
          direction: 'faster',
        },
      };
    },
  },
  {
    name: 'a proxy without connections left at the busiest hours of one site',
    prepare(ground) {
      const site = ground.site();
      return changeSite(ground.plan, site.name, {}, { proxy: { inspects: false, extraMs: 4, slots: 30, load: 0.3 } });
    },
    plant(ground) {
      const site = ground.site();
      const hours = ground.one([
        [9, 12],
        [13, 16],
      ] as const);
      const slots = 2;
      const plan = changeSite(
        ground.plan,
        site.name,
        { hours },
        { proxy: { inspects: false, extraMs: 4, slots, load: 0.9 } },
      );
      return {
        plan,
        cause: {
          places: [{ site: site.name, hours }],
          quantities: ['tcp', 'ttlb', 'blocked'],
          direction: 'slower',
        },
      };
    },
  },
];

/** Two of them in one fleet, by their place in the list. */
export const PAIRS_HELD_OUT = [
  [0, 3],
  [4, 7],
  [10, 12],
  [14, 8],
] as const;

export const QUIET_HELD_OUT: readonly QuietWorld[] = [
  { name: 'nothing, once more', change: ({ plan }) => plan },
  {
    name: 'a crowd on one day',
    change(ground) {
      const day = ground.day();
      return changeHabits(ground.plan, { fromDay: day, beforeDay: day + 1 }, { activity: 2.5 });
    },
  },
  {
    name: 'a week of holidays at one site',
    change(ground) {
      const day = ground.day();
      const sites = [ground.one(ground.plan.sites).name];
      return changeHabits(ground.plan, { fromDay: day, beforeDay: day + 5, sites }, { activity: 0.05 });
    },
  },
  {
    name: 'downloads that were always large',
    change(ground) {
      const { host, template } = ground.request(({ type }) => type === 'image', 0.004);
      // Asked for seldom, and kept long: large, and hardly any of the waiting.
      return changeRequests(
        ground.plan,
        (request) => request.host === host && request.template === template,
        {},
        ({ bytes }) => ({ bytes: 3 * bytes, maxAgeMs: 20 * 86_400_000 }),
      );
    },
  },
  {
    name: 'a browser that is used more than others',
    change(ground) {
      return changeHabits(ground.plan, { browsers: [ground.random.whole(12)] }, { activity: 4 });
    },
  },
  {
    name: 'requests that are held until something happens, at two apps',
    change({ plan }) {
      const apps = plan.apps.map((app, index) => {
        const [document] = app.pages[0]?.requests ?? [];
        if (index > 1 || document === undefined) return app;
        const traits = { ...document.traits, heldMs: 20_000, bytes: 120, poolMs: 0, count: 1 };
        const held = { host: app.host, template: '/api/wait', type: 'fetch', stage: 3, traits } as const;
        const pages = app.pages.map((page, at) => (at > 0 ? page : { ...page, requests: [...page.requests, held] }));
        return { ...app, thinkMs: 60_000, pages };
      });
      return { ...plan, apps };
    },
  },
];
