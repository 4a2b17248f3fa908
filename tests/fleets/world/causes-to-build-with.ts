import {
  changeHabits,
  changeHost,
  changeRequests,
  isSameRequest,
  type QuietWorld,
  type WorldCause,
} from './planting.ts';

/** Share of a host's waiting that its servers make. */
const SERVED = 0.65;
/** What one browser gets through its line, about. */
const BYTES_PER_MS = 6500;

/** Causes that rules are written with; those of causes-held-out.ts are for the bench alone. */
export const CAUSES_TO_BUILD_WITH: readonly WorldCause[] = [
  {
    name: 'a job that runs at some minutes of each hour',
    plant(ground) {
      const { name } = ground.host();
      const from = 5 * (1 + ground.random.whole(10));
      const minutes = [from, from + 5] as const;
      const work = 1 + ground.cost / (ground.share({ host: name }) * SERVED * (5 / 60));
      const plan = changeHost(ground.plan, name, { minutes }, { work });
      return { plan, cause: { places: [{ host: name, minutes }], quantities: ['wait', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'one bad machine of several',
    plant(ground) {
      const { name, traits } = ground.host(({ machines, hitShare }) => machines >= 3 && hitShare === null);
      const worstMachine = 1 + (ground.cost * traits.machines) / (ground.share({ host: name }) * SERVED);
      const plan = changeHost(ground.plan, name, {}, { worstMachine, perRequest: true });
      return { plan, cause: { places: [{ host: name }], quantities: ['wait', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'idle connections closed sooner since a day',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.1);
      const day = ground.day();
      const plan = changeHost(ground.plan, name, { fromDay: day }, { idleMs: 2000 + 1500 * ground.random.uniform() });
      return {
        plan,
        cause: {
          places: [{ host: name }, { host: name, connection: 'new' }],
          quantities: ['new_connections', 'tcp', 'tls', 'dns', 'lookups', 'blocked', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'a response that may no longer be cached since a day',
    plant(ground) {
      const kept = ground.plan.apps
        .flatMap(({ pages }) => pages.flatMap(({ requests }) => requests))
        .filter(({ host, traits }) => traits.maxAgeMs > 0 && host.endsWith('corp.example'));
      const { host, template, type } = ground.one(kept);
      const day = ground.day();
      const plan = changeRequests(
        ground.plan,
        isSameRequest({ host, template, type } as never),
        { fromDay: day },
        () => ({
          maxAgeMs: 0,
          validator: false,
        }),
      );
      const quantities = ['cached', 'bytes', 'receive', 'wait', 'ttlb'] as const;
      return { plan, cause: { places: [{ host, template }], quantities, day, direction: 'slower' } };
    },
  },
  {
    name: 'an answer that grew since a day',
    plant(ground) {
      const request = ground.request(({ type }) => type === 'fetch');
      const { host, template } = request;
      const day = ground.day();
      const n = ground.usual.count({ host, template });
      const more = ((ground.costMs * ground.since(day)) / n) * BYTES_PER_MS * 0.7;
      const plan = changeRequests(ground.plan, isSameRequest(request), { fromDay: day }, ({ bytes }) => ({
        bytes: Math.round(bytes + more),
      }));
      const quantities = ['bytes', 'receive', 'ttlb'] as const;
      return { plan, cause: { places: [{ host, template }], quantities, day, direction: 'slower' } };
    },
  },
  {
    name: 'a server that gets slower from day to day',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.1);
      const perDay = (2 * ground.cost) / (ground.share({ host: name }) * SERVED * ground.plan.days);
      let { plan } = ground;
      for (let day = 1; day < plan.days; day++)
        plan = changeHost(plan, name, { fromDay: day }, { work: 1 + perDay * day });
      return { plan, cause: { places: [{ host: name }], quantities: ['wait', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'HTTP/2 switched off since a day',
    plant(ground) {
      const { name } = ground.host(({ protocol }) => protocol !== 'http/1.1', 0.05);
      const day = ground.day();
      // The old front end closes idle connections as it used to.
      const plan = changeHost(ground.plan, name, { fromDay: day }, { protocol: 'http/1.1', idleMs: 10_000 });
      return {
        plan,
        cause: {
          places: [{ host: name }, { host: name, protocol: 'http/1.1' }],
          quantities: ['protocol', 'new_connections', 'blocked', 'tcp', 'tls', 'ttlb'],
          day,
          direction: 'slower',
        },
      };
    },
  },
  {
    name: 'a service worker shipped on a day',
    plant(ground) {
      const app = ground.one(ground.plan.apps.filter(({ id }) => ground.share({ target: id }) >= 0.12));
      const day = ground.day();
      const plan = changeRequests(
        ground.plan,
        ({ host, type }, id) => id === app.id && host === app.host && type !== 'document',
        { fromDay: day },
        () => ({ worker: true }),
      );
      return {
        plan,
        cause: {
          places: [{ target: app.id }, { host: app.host }],
          quantities: ['unmeasurable'],
          day,
          direction: 'slower',
          costless: true,
        },
      };
    },
  },
  {
    name: 'a way round for one host from one site',
    plant(ground) {
      const site = ground.site();
      const { name } = ground.host(() => true, 0.1);
      const place = { host: name, site: site.name };
      const detourMs = (0.85 * ground.costMs) / Math.max(1, ground.usual.count({ ...place, connection: 'reused' }));
      const plan = changeHost(ground.plan, name, { sites: [site.name] }, { detourMs });
      return { plan, cause: { places: [place], quantities: ['wait', 'tcp', 'tls', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'a version of an engine that holds requests back',
    plant(ground) {
      const when = { engine: 'chromium', version: ground.one(['155', '156', '157']) } as const;
      const place = { engine: when.engine, engineVersion: when.version };
      const n =
        ground.usual.count({ ...place, connection: 'reused' }) + ground.usual.count({ ...place, connection: 'new' });
      const plan = changeHabits(ground.plan, when, { blockedMs: (0.8 * ground.costMs) / n });
      return { plan, cause: { places: [place], quantities: ['blocked', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'a robot that makes a third of all requests',
    plant(ground) {
      const all = ground.usual.count({});
      const people = ground.plan.sites.reduce((sum, site) => sum + site.browsers, 0);
      const numbers = Array.from({ length: people }, (_, number) => number);
      const browser = ground.one(numbers.filter((number) => ground.usual.count({ browser: number }) > all / people));
      const activity = (0.45 * all) / ground.usual.count({ browser });
      const plan = changeHabits(ground.plan, { browsers: [browser] }, { activity, neverCaches: true, idleMs: 0 });
      const quantities = [
        'cached',
        'bytes',
        'new_connections',
        'full_handshakes',
        'ttlb',
        'wait',
        'receive',
        'tcp',
        'tls',
      ] as const;
      return { plan, cause: { places: [{ browser }], quantities, direction: 'slower', costless: true } };
    },
  },
  {
    name: 'an edge cache that misses for one site',
    plant(ground) {
      const site = ground.site();
      const { name } = ground.host(({ hitShare }) => hitShare !== null, 0.03);
      const place = { host: name, site: site.name };
      const n =
        ground.usual.count({ ...place, connection: 'reused' }) + ground.usual.count({ ...place, connection: 'new' });
      const originMs = ground.costMs / n / 0.85;
      const plan = changeHost(ground.plan, name, { sites: [site.name] }, { hitShare: 0.12, originMs });
      return { plan, cause: { places: [place], quantities: ['wait', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'a slow export that few requests are',
    plant(ground) {
      const request = ground.request(({ type }) => type === 'fetch');
      const { host, template } = request;
      const share = 0.01 + 0.015 * ground.random.uniform();
      const serviceMs = ground.costMs / (ground.usual.count({ host, template }) * share);
      const plan = changeRequests(ground.plan, isSameRequest(request), {}, () => ({
        rare: { share, serviceMs, bytes: 900_000 },
      }));
      const quantities = ['wait', 'receive', 'ttlb', 'bytes'] as const;
      return { plan, cause: { places: [{ host, template }], quantities, direction: 'slower' } };
    },
  },
  {
    name: 'too few workers at the busiest hours',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.1);
      const hours = ground.one([
        [9, 11],
        [10, 12],
        [14, 16],
      ] as const);
      const n =
        ground.usual.count({ host: name, hours, connection: 'reused' }) +
        ground.usual.count({ host: name, hours, connection: 'new' });
      const load = Math.min(0.975, Math.max(0.6, 1 - 10 / (ground.costMs / n)));
      const plan = changeHost(ground.plan, name, { hours }, { workers: 4, load });
      return { plan, cause: { places: [{ host: name, hours }], quantities: ['wait', 'ttlb'], direction: 'slower' } };
    },
  },
  {
    name: 'a server that is faster since a day',
    plant(ground) {
      const { name } = ground.host(({ hitShare }) => hitShare === null, 0.12);
      const day = ground.day();
      const work = Math.max(0.25, 1 - (ground.cost * ground.since(day)) / (ground.share({ host: name }) * SERVED));
      const plan = changeHost(ground.plan, name, { fromDay: day }, { work });
      return { plan, cause: { places: [{ host: name }], quantities: ['wait', 'ttlb'], day, direction: 'faster' } };
    },
  },
  {
    name: 'a third party that a firewall swallows at one site',
    plant(ground) {
      const site = ground.site();
      const name = ground.one(ground.plan.hosts.filter(({ traits }) => !traits.allowsTiming).map((host) => host.name));
      const day = ground.day();
      const blackhole = { share: 0.9, afterMs: 4000 + 6000 * ground.random.uniform() };
      const plan = changeHost(ground.plan, name, { sites: [site.name], fromDay: day }, { blackhole, idleMs: 15_000 });
      return {
        plan,
        cause: {
          places: [{ host: name, site: site.name }],
          quantities: ['errors', 'ttlb', 'blocked'],
          day,
          direction: 'slower',
          costless: true,
        },
      };
    },
  },
];

/** Two of them in one fleet, by their place in the list. */
export const PAIRS_TO_BUILD_WITH = [
  [0, 2],
  [4, 9],
  [5, 11],
  [12, 14],
] as const;

export const QUIET_TO_BUILD_WITH: readonly QuietWorld[] = [
  { name: 'nothing at all', change: ({ plan }) => plan },
  {
    name: 'weekends without anybody, and a third of the users who come on a day',
    change(ground) {
      const { plan } = ground;
      const numbers = Array.from({ length: plan.sites.reduce((sum, { browsers }) => sum + browsers, 0) }, (_, i) => i);
      const late = numbers.filter((number) => number % 3 === 0);
      const sites = plan.sites.map((site) => ({ ...site, weekend: 0.01 }));
      return changeHabits({ ...plan, sites }, { beforeDay: ground.day(), browsers: late }, { activity: 0 });
    },
  },
  {
    name: 'a site that opens on a day',
    change(ground) {
      return changeHabits(ground.plan, { beforeDay: ground.day(), sites: [ground.site(0.05).name] }, { activity: 0 });
    },
  },
  {
    name: 'long polling',
    change({ plan }) {
      const apps = plan.apps.map((app, index) => {
        if (index > 0) return app;
        const [document] = app.pages[0]?.requests ?? [];
        if (document === undefined) return app;
        const traits = { ...document.traits, heldMs: 25_000, bytes: 200, poolMs: 0, count: 1 };
        const poll = { host: app.host, template: '/api/changes', type: 'fetch', stage: 3, traits } as const;
        return {
          ...app,
          thinkMs: 45_000,
          pages: app.pages.map((page) => ({ ...page, requests: [...page.requests, poll] })),
        };
      });
      return { ...plan, apps };
    },
  },
  {
    name: 'growth of one site and less of another',
    change(ground) {
      const [one, other] = ground.plan.sites;
      const day = ground.day();
      const grown = changeHabits(ground.plan, { fromDay: day, sites: [one?.name ?? ''] }, { activity: 1.7 });
      return changeHabits(grown, { fromDay: day, sites: [other?.name ?? ''] }, { activity: 0.5 });
    },
  },
];
