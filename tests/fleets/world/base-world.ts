import { RandomStream } from '../random-stream.ts';
import type {
  HostTraits,
  RequestTraits,
  SiteTraits,
  WorldApp,
  WorldHost,
  WorldPage,
  WorldPlan,
  WorldRequest,
  WorldSite,
} from './world-plan.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday; months begin within every fleet or not, as it happens. */
const FIRST_MS = Date.UTC(2026, 7, 3);
const WEEK_MS = 7 * DAY;

/** A fleet with nothing wrong, drawn from the seed: which sites and apps there are, who uses what, every time and size. */
export function baseWorld(seed: number): WorldPlan {
  const random = new RandomStream(seed, 201);
  const between = (low: number, high: number) => low + (high - low) * random.uniform();
  const vary = (value: number) => value * 1.35 ** (2 * random.uniform() - 1);
  const whole = (low: number, high: number) => low + random.whole(high - low + 1);
  const samples = Math.round(between(45_000, 110_000));
  const weeks = whole(3, 5);
  const browsers = Math.round(samples / between(700, 1000));
  const apps = shuffled(APPS.slice(2), random).slice(0, whole(1, 4));
  const chosen = [...APPS.slice(0, 2), ...apps].map((app) => ({
    ...app,
    weight: vary(app.weight),
    pages: app.pages.map((page) => variedPage(page, vary)),
  }));
  const used = new Set(
    chosen.flatMap(({ pages }) => pages.flatMap(({ requests }) => requests.map(({ host }) => host))),
  );
  const hosts = HOSTS.filter(({ name }) => used.has(name)).map((host) => ({
    ...host,
    traits: { ...host.traits, load: Math.min(0.7, vary(host.traits.load)), idleMs: vary(host.traits.idleMs) },
  }));
  const sites = SITES.slice(0, whole(3, 6)).map((site) => ({ ...site, share: vary(site.share) }));
  const shares = sites.reduce((sum, { share }) => sum + share, 0);
  return {
    seed,
    from: FIRST_MS + whole(0, 7) * WEEK_MS,
    days: 7 * weeks,
    samples,
    hosts,
    apps: chosen,
    habits: [],
    sites: sites.map(
      ({ share, ...site }): WorldSite => ({
        ...site,
        browsers: Math.max(5, Math.round((browsers * share) / shares)),
        traits: {
          ...site.traits,
          rttMs: {
            house: vary(site.traits.rttMs.house),
            cloud: vary(site.traits.rttMs.cloud),
            edge: vary(site.traits.rttMs.edge),
            abroad: vary(site.traits.rttMs.abroad),
          },
        },
      }),
    ),
  };
}

function shuffled<T>(items: readonly T[], random: RandomStream): T[] {
  return items
    .map((item) => ({ item, order: random.uniform() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

function variedPage({ weight, requests }: WorldPage, vary: (value: number) => number): WorldPage {
  return {
    weight: vary(weight),
    requests: requests.map((request) => ({
      ...request,
      traits: {
        ...request.traits,
        serviceMs: vary(request.traits.serviceMs),
        bytes: Math.round(vary(request.traits.bytes)),
      },
    })),
  };
}

const LINE: SiteTraits = {
  rttMs: { house: 5, cloud: 14, edge: 7, abroad: 30 },
  jitter: 0.08,
  loss: 0.0003,
  mbps: 90,
  lineLoad: 0.35,
  gatewayMs: 0.6,
  upMbps: 40,
  dnsMs: 2,
  recursionMs: 28,
  proxy: null,
};

const OFFICE = { firefoxShare: 0.2, zoneHours: 1, hours: [7, 18], weekend: 0.04 } as const;

const SITES: readonly (Omit<WorldSite, 'browsers'> & { readonly share: number })[] = [
  { ...OFFICE, name: 'Zurich', share: 0.3, traits: LINE },
  { ...OFFICE, name: 'Lyon', share: 0.2, traits: { ...LINE, rttMs: { house: 18, cloud: 17, edge: 9, abroad: 34 } } },
  {
    ...OFFICE,
    name: 'Homeworkers',
    share: 0.18,
    hours: [7, 21],
    weekend: 0.2,
    traits: {
      ...LINE,
      rttMs: { house: 27, cloud: 25, edge: 16, abroad: 41 },
      jitter: 0.22,
      loss: 0.001,
      mbps: 45,
      upMbps: 10,
      dnsMs: 9,
    },
  },
  {
    ...OFFICE,
    name: 'Gdansk',
    share: 0.16,
    hours: [7, 16.5],
    traits: { ...LINE, rttMs: { house: 26, cloud: 24, edge: 12, abroad: 38 }, mbps: 60 },
  },
  {
    ...OFFICE,
    name: 'Dublin',
    share: 0.14,
    zoneHours: 0,
    hours: [8, 18],
    traits: { ...LINE, rttMs: { house: 30, cloud: 21, edge: 8, abroad: 24 } },
  },
  {
    ...OFFICE,
    name: 'Izmir',
    share: 0.12,
    zoneHours: 3,
    hours: [8.5, 18],
    firefoxShare: 0.35,
    traits: { ...LINE, rttMs: { house: 34, cloud: 30, edge: 15, abroad: 40 }, mbps: 50, jitter: 0.12 },
  },
];

const SERVER: HostTraits = {
  scheme: 'https',
  distance: 'house',
  protocol: 'h2',
  tls: '1.3',
  allowsTiming: true,
  serverTiming: false,
  tellsHandshake: false,
  dnsTtlMs: 5 * MINUTE,
  nameMs: 0,
  idleMs: 75 * SECOND,
  ticketMs: 4 * HOUR,
  sharedTickets: true,
  handshakeMs: 3,
  machines: 3,
  perRequest: false,
  workers: 8,
  load: 0.4,
  work: 1,
  worstMachine: 1,
  pool: 12,
  poolLoad: 0.4,
  pause: null,
  hitShare: null,
  originMs: 0,
  detourMs: 0,
  windowResets: false,
  fallbackMs: 0,
  loss: 0,
  challenges: 0,
  blackhole: null,
  cookieBytes: 0,
  revocationMs: 0,
  deadAddress: null,
  paceMs: 0,
  packetStallMs: 0,
  polls: null,
  tailMs: 0,
  cold: null,
};
const CLOUD: HostTraits = { ...SERVER, distance: 'cloud', idleMs: 60 * SECOND };
const EDGE: HostTraits = {
  ...SERVER,
  distance: 'edge',
  idleMs: 180 * SECOND,
  hitShare: 0.97,
  originMs: 35,
  dnsTtlMs: 2 * MINUTE,
};
const OLD: HostTraits = {
  ...SERVER,
  protocol: 'http/1.1',
  tls: '1.2',
  tellsHandshake: true,
  machines: 2,
  idleMs: 65 * SECOND,
};
const FOREIGN: HostTraits = { ...CLOUD, distance: 'abroad', allowsTiming: false, idleMs: 120 * SECOND };

const HOSTS: readonly WorldHost[] = [
  { name: 'mail.corp.example', traits: SERVER },
  { name: 'files.corp.example', traits: { ...SERVER, protocol: 'http/1.1', machines: 4 } },
  { name: 'static.corp.example', traits: EDGE },
  { name: 'order.corp.example', traits: { ...CLOUD, serverTiming: true } },
  { name: 'api.order.corp.example', traits: { ...CLOUD, serverTiming: true, machines: 4 } },
  { name: 'img.order.corp.example', traits: { ...EDGE, protocol: 'h3' } },
  { name: 'crm.corp.example', traits: OLD },
  { name: 'docs.crm.corp.example', traits: OLD },
  { name: 'desk.corp.example', traits: { ...SERVER, protocol: 'http/1.1', machines: 4, perRequest: true } },
  { name: 'learn.corp.example', traits: CLOUD },
  { name: 'media.learn.corp.example', traits: EDGE },
  { name: 'plan.corp.example', traits: { ...SERVER, serverTiming: true } },
  { name: 'sso.corp.example', traits: SERVER },
  { name: 'fonts.vendor.example', traits: { ...FOREIGN, distance: 'edge', hitShare: 0.99, originMs: 30 } },
  { name: 'tags.vendor.example', traits: FOREIGN },
  { name: 'chat.vendor.example', traits: { ...FOREIGN, allowsTiming: true } },
];

const REQUEST: RequestTraits = {
  count: 1,
  serviceMs: 30,
  spread: 0.4,
  poolMs: 0,
  bytes: 4000,
  maxAgeMs: 0,
  validator: false,
  items: 1,
  rare: null,
  errorShare: 0.0015,
  errorStatus: 500,
  hops: 0,
  hopMs: 20,
  hopsCross: false,
  worker: false,
  heldMs: 0,
};

function document(
  host: string,
  template: string,
  serviceMs: number,
  kb: number,
  more: Partial<RequestTraits> = {},
): WorldRequest {
  return {
    host,
    template,
    type: 'document',
    stage: 0,
    traits: { ...REQUEST, serviceMs, bytes: kb * 1000, poolMs: 4, ...more },
  };
}
function call(
  host: string,
  template: string,
  count: number,
  serviceMs: number,
  kb: number,
  more: Partial<RequestTraits> = {},
): WorldRequest {
  return {
    host,
    template,
    type: 'fetch',
    stage: 3,
    traits: { ...REQUEST, count, serviceMs, bytes: kb * 1000, poolMs: 6, ...more },
  };
}
function code(
  host: string,
  template: string,
  type: 'script' | 'style' | 'font',
  count: number,
  kb: number,
): WorldRequest {
  const stage = type === 'font' ? 2 : 1;
  return {
    host,
    template,
    type,
    stage,
    traits: { ...REQUEST, count, serviceMs: 3, bytes: kb * 1000, maxAgeMs: 6 * DAY, validator: true, errorShare: 0 },
  };
}
function image(
  host: string,
  template: string,
  count: number,
  kb: number,
  items: number,
  maxAgeMs = 8 * HOUR,
): WorldRequest {
  return {
    host,
    template,
    type: 'image',
    stage: 2,
    traits: { ...REQUEST, count, serviceMs: 4, bytes: kb * 1000, items, maxAgeMs, validator: true, errorShare: 0 },
  };
}
function page(weight: number, ...requests: WorldRequest[]): WorldPage {
  return { weight, requests };
}

const FONTS = code('fonts.vendor.example', '/inter.woff', 'font', 2, 36);
const TAGS: WorldRequest = {
  host: 'tags.vendor.example',
  template: '/hit',
  type: 'beacon',
  stage: 3,
  traits: { ...REQUEST, serviceMs: 10, bytes: 60, errorShare: 0 },
};
const SHELL = [
  code('static.corp.example', '/shell/{hash}.js', 'script', 3, 95),
  code('static.corp.example', '/shell/{hash}.css', 'style', 1, 26),
];
const ORDER = [...SHELL, code('order.corp.example', '/app/{hash}.js', 'script', 2, 160), FONTS];
const CRM = [
  code('crm.corp.example', '/ui/{hash}.js', 'script', 3, 70),
  code('crm.corp.example', '/ui/{hash}.css', 'style', 2, 15),
];
const DESK = [
  code('desk.corp.example', '/assets/{hash}.js', 'script', 2, 120),
  code('desk.corp.example', '/assets/{hash}.css', 'style', 1, 22),
];
const LEARN = [code('media.learn.corp.example', '/lib/{hash}.js', 'script', 4, 80), FONTS];

const APPS: readonly WorldApp[] = [
  {
    id: 'mail',
    name: 'Mail',
    host: 'mail.corp.example',
    weight: 0.3,
    thinkMs: 14 * SECOND,
    views: 8,
    pages: [
      page(
        5,
        document('mail.corp.example', '/inbox', 42, 30),
        ...SHELL,
        call('mail.corp.example', '/api/messages', 2, 38, 18),
        call('mail.corp.example', '/api/folders', 1, 20, 3),
      ),
      page(
        6,
        document('mail.corp.example', '/message/{n}', 35, 18),
        ...SHELL,
        call('mail.corp.example', '/api/message', 1, 30, 10),
        image('files.corp.example', '/avatar/{n}.png', 3, 5, 90),
      ),
      page(
        1.2,
        document('mail.corp.example', '/search', 60, 16),
        ...SHELL,
        call('mail.corp.example', '/api/search', 2, 95, 14),
      ),
    ],
  },
  {
    id: 'order',
    name: 'Ordering',
    host: 'order.corp.example',
    weight: 0.28,
    thinkMs: 18 * SECOND,
    views: 9,
    pages: [
      page(
        4,
        document('order.corp.example', '/catalog', 48, 34),
        ...ORDER,
        image('img.order.corp.example', '/thumb/{n}.webp', 8, 14, 400),
        call('api.order.corp.example', '/v1/items', 2, 45, 20),
        TAGS,
      ),
      page(
        5,
        document('order.corp.example', '/item/{n}', 44, 28),
        ...ORDER,
        image('img.order.corp.example', '/photo/{n}.webp', 3, 85, 600),
        call('api.order.corp.example', '/v1/item/{n}', 1, 35, 6),
        call('api.order.corp.example', '/v1/stock', 1, 55, 3),
        TAGS,
      ),
      page(
        1.5,
        document('order.corp.example', '/basket', 52, 20),
        ...ORDER,
        call('api.order.corp.example', '/v1/basket', 2, 70, 4),
        call('chat.vendor.example', '/status', 1, 20, 1),
      ),
    ],
  },
  {
    id: 'crm',
    name: 'Customers',
    host: 'crm.corp.example',
    weight: 0.18,
    thinkMs: 30 * SECOND,
    views: 7,
    pages: [
      page(
        5,
        document('crm.corp.example', '/account/{n}', 80, 40),
        ...CRM,
        image('crm.corp.example', '/photo/{n}.jpg', 2, 12, 200),
        call('crm.corp.example', '/rest/activity', 2, 55, 9),
      ),
      page(
        3,
        document('crm.corp.example', '/pipeline', 95, 52),
        ...CRM,
        call('crm.corp.example', '/rest/pipeline', 1, 110, 30),
        call('docs.crm.corp.example', '/preview', 1, 60, 60),
      ),
    ],
  },
  {
    id: 'desk',
    name: 'Service desk',
    host: 'desk.corp.example',
    weight: 0.16,
    thinkMs: 22 * SECOND,
    views: 8,
    pages: [
      page(
        4,
        document('desk.corp.example', '/queue', 65, 36),
        ...DESK,
        call('desk.corp.example', '/api/queue', 2, 50, 15),
      ),
      page(
        6,
        document('desk.corp.example', '/case/{n}', 70, 30),
        ...DESK,
        call('desk.corp.example', '/api/case/{n}', 1, 45, 8),
        call('desk.corp.example', '/api/history', 1, 60, 12),
        image('desk.corp.example', '/attachment/{n}', 1, 60, 800, 0),
      ),
    ],
  },
  {
    id: 'learn',
    name: 'Training',
    host: 'learn.corp.example',
    weight: 0.12,
    thinkMs: 45 * SECOND,
    views: 6,
    pages: [
      page(
        4,
        document('learn.corp.example', '/course/{n}', 55, 24),
        ...LEARN,
        image('media.learn.corp.example', '/slide/{n}.png', 4, 110, 300),
        call('learn.corp.example', '/api/progress', 2, 30, 2),
      ),
      page(
        1,
        document('learn.corp.example', '/courses', 70, 30),
        ...LEARN,
        image('media.learn.corp.example', '/cover/{n}.jpg', 6, 30, 80),
        call('learn.corp.example', '/api/courses', 1, 60, 16),
        TAGS,
      ),
    ],
  },
  {
    id: 'plan',
    name: 'Planning',
    host: 'plan.corp.example',
    weight: 0.14,
    thinkMs: 35 * SECOND,
    views: 7,
    pages: [
      page(
        4,
        document('plan.corp.example', '/board', 60, 22),
        ...SHELL,
        call('plan.corp.example', '/api/tasks', 3, 65, 22),
        call('sso.corp.example', '/session', 1, 12, 1),
      ),
      page(
        2,
        document('plan.corp.example', '/calendar', 50, 20),
        ...SHELL,
        call('plan.corp.example', '/api/events', 2, 75, 14),
      ),
    ],
  },
];
