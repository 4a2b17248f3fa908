import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import type { AppPlan, FleetPlan, HostPlan, PagePlan, ResourcePlan, SitePlan } from './plan.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

export interface FleetShape {
  readonly name: string;
  readonly seed: number;
  readonly from: number;
  readonly days: number;
  readonly samples: number;
  readonly browsers: number;
  /** 3 to 6. */
  readonly apps: number;
  /** How far times are from the plain values, as a factor: 0.3 draws from 1/1.3 to 1.3. */
  readonly variety: number;
}

/**
 * A fleet with nothing wrong: four offices, a VPN and people at home, all within 45 ms of the servers; warm caches,
 * keep-alive of a minute and more, sessions resumed, servers that answer in 15 to 180 ms. Two plans of different seeds
 * differ in every time, in which apps there are and in how many browsers each site has.
 */
export function basePlan(shape: FleetShape): FleetPlan {
  const random = seededRandom(shape.seed * 2_654_435 + 17);
  const vary = (value: number) => value * (1 + shape.variety) ** (2 * random() - 1);
  const apps = APPS.slice(0, shape.apps).map((app) => ({ ...app, weight: vary(app.weight), pages: varied(app, vary) }));
  const used = new Set(
    apps.flatMap((app) => [app.host, ...app.pages.flatMap((page) => page.resources.map((r) => r.host))]),
  );
  return {
    name: shape.name,
    seed: shape.seed,
    from: shape.from,
    days: shape.days,
    samples: shape.samples,
    sites: sitesOf(shape.browsers, vary),
    hosts: HOSTS.filter(({ name }) => used.has(name)),
    apps,
    probes: [
      {
        id: 'first-app',
        app: 'erp',
        host: 'erp.example.com',
        template: '/health',
        sites: ['Frankfurt', 'Madrid'],
        everyMinutes: 60,
      },
    ],
  };
}

function varied(app: AppPlan, vary: (value: number) => number): PagePlan[] {
  return app.pages.map((page) => ({
    ...page,
    weight: vary(page.weight),
    serverMs: vary(page.serverMs),
    bytes: Math.round(vary(page.bytes)),
    resources: page.resources.map((resource) => ({
      ...resource,
      serverMs: vary(resource.serverMs),
      bytes: Math.round(vary(resource.bytes)),
    })),
  }));
}

const OFFICE = {
  kind: 'office',
  firefoxShare: 0.15,
  zoneHours: 1,
  jitter: 0.06,
  lineMbps: 120,
  loss: 0.0002,
  dnsMs: 7,
  activity: 1,
  weekend: 0.03,
  hours: [7.5, 17.5],
} as const satisfies Partial<SitePlan>;

const SITES: readonly (SitePlan & { readonly part: number })[] = [
  { ...OFFICE, name: 'Frankfurt', part: 0.34, browsers: 0, rttMs: { centre: 4, cdn: 7, outside: 16 } },
  { ...OFFICE, name: 'Hamburg', part: 0.16, browsers: 0, rttMs: { centre: 14, cdn: 9, outside: 20 } },
  {
    ...OFFICE,
    name: 'Vienna',
    part: 0.13,
    browsers: 0,
    rttMs: { centre: 19, cdn: 11, outside: 24 },
    firefoxShare: 0.25,
  },
  {
    ...OFFICE,
    name: 'Madrid',
    part: 0.12,
    browsers: 0,
    rttMs: { centre: 34, cdn: 13, outside: 30 },
    hours: [8.5, 19],
  },
  {
    ...OFFICE,
    name: 'VPN',
    kind: 'vpn',
    part: 0.12,
    browsers: 0,
    rttMs: { centre: 32, cdn: 36, outside: 44 },
    jitter: 0.14,
    lineMbps: 40,
    loss: 0.0006,
    dnsMs: 18,
    activity: 0.8,
    weekend: 0.12,
    hours: [7, 20],
  },
  {
    ...OFFICE,
    name: 'Home',
    kind: 'home',
    part: 0.13,
    browsers: 0,
    rttMs: { centre: 24, cdn: 17, outside: 27 },
    jitter: 0.16,
    lineMbps: 50,
    loss: 0.0008,
    dnsMs: 13,
    activity: 0.7,
    weekend: 0.3,
    hours: [7, 21.5],
  },
];

function sitesOf(browsers: number, vary: (value: number) => number): SitePlan[] {
  const parts = SITES.map(({ part }) => vary(part));
  const sum = parts.reduce((total, part) => total + part, 0);
  return SITES.map(({ part: _, ...site }, index) => ({
    ...site,
    browsers: Math.max(2, Math.round((browsers * (parts[index] ?? 0)) / sum)),
    rttMs: { centre: vary(site.rttMs.centre), cdn: vary(site.rttMs.cdn), outside: vary(site.rttMs.outside) },
    dnsMs: vary(site.dnsMs),
  }));
}

const HOST: Omit<HostPlan, 'name'> = {
  scheme: 'https',
  place: 'centre',
  protocol: 'h2',
  tls: '1.3',
  tickets: true,
  handshakeMs: 2.5,
  keepAliveMs: 75 * SECOND,
  timingAllowed: true,
  serverTiming: false,
  tellsHandshake: false,
  loss: 0,
  serverFactor: 1,
  dnsTtlMs: MINUTE,
};
const OLD: Omit<HostPlan, 'name'> = { ...HOST, protocol: 'http/1.1', tls: '1.2', tellsHandshake: true };
const CDN: Omit<HostPlan, 'name'> = { ...HOST, place: 'cdn', keepAliveMs: 180 * SECOND };
const OUTSIDE: Omit<HostPlan, 'name'> = { ...HOST, place: 'outside', keepAliveMs: 120 * SECOND };

const HOSTS: readonly HostPlan[] = [
  { ...HOST, name: 'erp.example.com', serverTiming: true },
  { ...HOST, name: 'api.erp.example.com', serverTiming: true },
  { ...CDN, name: 'static.example.com' },
  { ...HOST, name: 'shop.example.com' },
  { ...HOST, name: 'api.shop.example.com', serverTiming: true },
  { ...CDN, name: 'img.shop.example.com', protocol: 'h3' },
  { ...OLD, name: 'tickets.example.com' },
  { ...OLD, name: 'files.tickets.example.com' },
  { ...HOST, name: 'wiki.example.com', protocol: 'http/1.1' },
  { ...HOST, name: 'static.wiki.example.com', protocol: 'http/1.1' },
  { ...OUTSIDE, name: 'hr.example.org' },
  { ...CDN, name: 'cdn.hr.example.org' },
  { ...HOST, name: 'bi.example.com' },
  { ...HOST, name: 'data.bi.example.com', serverTiming: true },
  { ...CDN, name: 'fonts.example.net', timingAllowed: false },
  { ...OUTSIDE, name: 'metrics.example.net', timingAllowed: false },
  { ...OUTSIDE, name: 'maps.example.net', timingAllowed: true },
  { ...HOST, name: 'sso.example.com' },
];

const WEEK = 7 * DAY;

function file(
  host: string,
  template: string,
  type: 'script' | 'style' | 'font',
  count: number,
  kb: number,
): ResourcePlan {
  const stage = type === 'font' ? 2 : 1;
  return { host, template, type, stage, count, serverMs: 2, spread: 0.35, bytes: kb * 1000, cacheMs: WEEK };
}
function image(host: string, template: string, count: number, kb: number, cacheMs = DAY): ResourcePlan {
  return { host, template, type: 'image', stage: 2, count, serverMs: 3, spread: 0.4, bytes: kb * 1000, cacheMs };
}
function call(host: string, template: string, count: number, serverMs: number, kb: number): ResourcePlan {
  return { host, template, type: 'fetch', stage: 3, count, serverMs, spread: 0.38, bytes: kb * 1000, cacheMs: 0 };
}
const beacon: ResourcePlan = {
  host: 'metrics.example.net',
  template: '/collect',
  type: 'beacon',
  stage: 3,
  count: 1,
  serverMs: 12,
  spread: 0.4,
  bytes: 40,
  cacheMs: 0,
};
const fonts = file('fonts.example.net', '/fonts/inter.woff', 'font', 2, 38);

function page(template: string, weight: number, serverMs: number, kb: number, ...resources: ResourcePlan[]): PagePlan {
  return { template, weight, serverMs, spread: 0.36, bytes: kb * 1000, resources };
}

const ERP_FILES = [
  file('static.example.com', '/erp/{hash}.js', 'script', 4, 90),
  file('static.example.com', '/erp/{hash}.css', 'style', 2, 24),
  image('static.example.com', '/erp/icons/{hash}.svg', 4, 3),
];
const SHOP_FILES = [
  file('shop.example.com', '/assets/{hash}.js', 'script', 3, 110),
  file('shop.example.com', '/assets/{hash}.css', 'style', 1, 30),
  fonts,
];
const TICKET_FILES = [
  file('tickets.example.com', '/static/{hash}.js', 'script', 3, 60),
  file('tickets.example.com', '/static/{hash}.css', 'style', 1, 18),
];
const WIKI_FILES = [
  file('static.wiki.example.com', '/load/{hash}.js', 'script', 3, 70),
  file('static.wiki.example.com', '/load/{hash}.css', 'style', 2, 16),
];
const HR_FILES = [
  file('cdn.hr.example.org', '/app/{hash}.js', 'script', 5, 130),
  file('cdn.hr.example.org', '/app/{hash}.css', 'style', 1, 40),
  fonts,
];
const BI_FILES = [file('bi.example.com', '/bundle/{hash}.js', 'script', 2, 240)];

const APP = { errorShare: 0.004, abandonShare: 0.015, dwellMs: 22 * SECOND };

const APPS: readonly AppPlan[] = [
  {
    ...APP,
    id: 'erp',
    name: 'ERP',
    weight: 0.34,
    host: 'erp.example.com',
    pages: [
      page(
        '/orders',
        4,
        70,
        22,
        ...ERP_FILES,
        call('api.erp.example.com', '/v2/orders', 2, 55, 14),
        call('api.erp.example.com', '/v2/user', 1, 18, 2),
      ),
      page(
        '/orders/{n}',
        5,
        60,
        18,
        ...ERP_FILES,
        call('api.erp.example.com', '/v2/orders/{n}', 1, 40, 9),
        call('api.erp.example.com', '/v2/customers/{n}', 1, 35, 4),
      ),
      page('/search', 3, 45, 15, ...ERP_FILES, call('api.erp.example.com', '/v2/search', 3, 80, 18)),
      page('/stock', 2, 75, 30, ...ERP_FILES, call('api.erp.example.com', '/v2/stock', 2, 65, 26)),
    ],
  },
  {
    ...APP,
    id: 'shop',
    name: 'Web shop',
    weight: 0.2,
    host: 'shop.example.com',
    pages: [
      page(
        '/',
        3,
        50,
        40,
        ...SHOP_FILES,
        image('img.shop.example.com', '/products/{n}.webp', 10, 28),
        call('api.shop.example.com', '/cart', 1, 25, 2),
        beacon,
      ),
      page(
        '/products/{n}',
        6,
        65,
        36,
        ...SHOP_FILES,
        image('img.shop.example.com', '/products/{n}.webp', 5, 60),
        call('api.shop.example.com', '/offers', 1, 45, 8),
        beacon,
      ),
      page(
        '/checkout',
        1,
        110,
        28,
        ...SHOP_FILES,
        call('api.shop.example.com', '/checkout', 2, 140, 3),
        call('maps.example.net', '/places', 1, 40, 12),
      ),
    ],
  },
  {
    ...APP,
    id: 'tickets',
    name: 'Ticket desk',
    weight: 0.16,
    host: 'tickets.example.com',
    dwellMs: 35 * SECOND,
    pages: [
      page(
        '/queue',
        4,
        85,
        48,
        ...TICKET_FILES,
        image('tickets.example.com', '/avatars/{n}.png', 5, 4),
        call('tickets.example.com', '/api/queue', 1, 60, 16),
      ),
      page(
        '/tickets/{n}',
        6,
        95,
        32,
        ...TICKET_FILES,
        image('files.tickets.example.com', '/attachments/{n}.png', 2, 90),
        call('tickets.example.com', '/api/history', 1, 70, 10),
      ),
    ],
  },
  {
    ...APP,
    id: 'wiki',
    name: 'Wiki',
    weight: 0.12,
    host: 'wiki.example.com',
    dwellMs: 50 * SECOND,
    pages: [
      page('/pages/{token}', 7, 120, 60, ...WIKI_FILES, image('wiki.example.com', '/images/{hash}.png', 3, 70)),
      page('/search', 2, 160, 26, ...WIKI_FILES),
    ],
  },
  {
    ...APP,
    id: 'hr',
    name: 'Time sheets',
    weight: 0.1,
    host: 'hr.example.org',
    pages: [
      page(
        '/week',
        5,
        80,
        20,
        ...HR_FILES,
        call('hr.example.org', '/api/entries', 2, 60, 6),
        call('sso.example.com', '/session', 1, 15, 1),
        beacon,
      ),
      page('/leave', 2, 70, 18, ...HR_FILES, call('hr.example.org', '/api/leave', 1, 55, 4), beacon),
    ],
  },
  {
    ...APP,
    id: 'bi',
    name: 'Dashboards',
    weight: 0.08,
    host: 'bi.example.com',
    dwellMs: 60 * SECOND,
    pages: [
      page('/boards/{n}', 5, 60, 24, ...BI_FILES, call('data.bi.example.com', '/query', 6, 150, 40)),
      page('/boards', 2, 50, 16, ...BI_FILES, call('data.bi.example.com', '/boards', 1, 45, 12)),
    ],
  },
];
