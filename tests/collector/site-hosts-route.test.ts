import { expect, test } from 'vitest';
import type { SiteHostsDocument } from '../../collector/questions/site-hosts.ts';
import { FOLD_FROM_BROWSERS } from '../../collector/questions/viewer-rule.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const SITES = ['Berlin', 'Lyon', 'Oslo'] as const;
const HOSTS = ['crm.example.com', 'erp.example.com', 'shop.example.com'] as const;
const FAR: Readonly<Record<string, number>> = { Oslo: 90, 'shop.example.com': 30 };
const RANGE = `from=${new Date(NOW - 3_600_000).toISOString()}&to=${new Date(NOW).toISOString()}`;

interface Connects {
  readonly browsers: readonly number[];
  readonly site: string;
  readonly host: string;
  readonly ms: number;
  readonly each?: number;
  readonly source?: string;
}

/** Browsers with an odd number are 2 ms slower. */
async function connect(app: TestApp, { browsers, site, host, ms, each = 6, source = 'page' }: Connects) {
  for (const browser of browsers) {
    const tcp = 1000 * (ms + 2 * (browser % 2));
    const times = { ...PLAIN_SAMPLE.times, blocked: 0, dns: 0, tcp, tls: 0, wait: 0, receive: 0, ttfb: tcp, ttlb: tcp };
    const rows = Array.from({ length: each }, (_, i) => ({ ...PLAIN_SAMPLE, at: NOW - 1000 - i, host, times, source }));
    await fill(app.store, rows, { client: browserId(browser), site });
  }
}

const numbers = (from: number, n: number) => Array.from({ length: n }, (_, i) => from + i);

/** As many browsers at each site, to every host: 20 ms, what its site adds, and what the host adds. */
async function fleet(app: TestApp, browsers: number, skip: (site: string, host: string) => boolean = () => false) {
  for (const [at, site] of SITES.entries()) {
    for (const host of HOSTS) {
      if (skip(site, host)) continue;
      const ms = 20 + (FAR[site] ?? 0) + (FAR[host] ?? 0);
      await connect(app, { browsers: numbers(100 * at, browsers), site, host, ms });
    }
  }
}

async function ask(app: TestApp, as: 'read' | 'admin' = 'admin', more = ''): Promise<SiteHostsDocument> {
  const answer = await app.send({ url: `/api/v1/site-hosts?${RANGE}${more}`, as });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

test('what a site and a host add is divided from what all have', async () => {
  const app = await testApp();
  await fleet(app, 8);
  // Often, but only one browser: it counts once, at each site.
  await connect(app, { browsers: [0], site: 'Berlin', host: 'crm.example.com', ms: 400, each: 100 });
  const { overall, undivided, sites, hosts, cells, leftOut } = await ask(app);
  expect({ overall, undivided, leftOut }).toEqual({
    overall: 20,
    undivided: null,
    leftOut: { tooFew: 0, beyond: 0, withoutSite: 0 },
  });
  const told = sites.map(({ site, effect, standsOut }) => [site, effect, standsOut]);
  expect(told).toEqual([
    ['Oslo', 90, true],
    ['Berlin', 0, false],
    ['Lyon', 0, false],
  ]);
  expect(hosts.map(({ host, effect, standsOut }) => [host, effect, standsOut])[0]).toEqual([
    'shop.example.com',
    30,
    true,
  ]);
  expect(cells).toHaveLength(9);
  for (const { median, site, host, pair } of cells) {
    const of = sites.find((each) => each.site === site)?.effect ?? 0;
    const to = hosts.find((each) => each.host === host)?.effect ?? 0;
    expect((overall ?? 0) + of + to + (pair?.effect ?? 0)).toBeCloseTo(median, 6);
  }
  expect(cells[0]).toMatchObject({ site: 'Berlin', host: 'crm.example.com', n: 148, browsers: 8, from: 'pages' });
  expect(JSON.stringify(await ask(app))).toBe(JSON.stringify(await ask(app)));
});

test('probes stand in where too few browsers connected; a pair that neither measured is left out', async () => {
  const app = await testApp();
  const missing = ['Oslo crm.example.com', 'Lyon erp.example.com'];
  await fleet(app, 6, (site, host) => missing.includes(`${site} ${host}`));
  await connect(app, { browsers: numbers(200, 4), site: 'Oslo', host: 'crm.example.com', ms: 300 });
  const probe = { browsers: [900], site: 'Oslo', host: 'crm.example.com', ms: 110, source: 'probe-https-new' };
  await connect(app, { ...probe, each: 30 });
  await connect(app, { ...probe, site: 'Lyon', host: 'erp.example.com', each: 29 });
  await connect(app, { browsers: [901, 902], site: '', host: 'erp.example.com', ms: 20 });
  const { cells, leftOut } = await ask(app);
  expect(cells.filter(({ from }) => from === 'probes')).toMatchObject([
    { site: 'Oslo', host: 'crm.example.com', n: 30, browsers: 1, median: 110 },
  ]);
  expect(leftOut).toEqual({ tooFew: 1, beyond: 0, withoutSite: 12 });
});

test('two sites are shown, but not divided', async () => {
  const app = await testApp();
  await fleet(app, 6, (site) => site === 'Oslo');
  const { overall, undivided, sites, cells } = await ask(app);
  expect({ overall, undivided, sites }).toEqual({ overall: null, undivided: 'few_sites', sites: [] });
  expect(cells.map(({ pair }) => pair)).toEqual(Array(6).fill(null));
  expect((await ask(app, 'admin', '&host=erp.example.com&host=crm.example.com')).undivided).toBe('few_sites');
});

test('viewers see no pair of few browsers, nor what it would change', async () => {
  const app = await testApp();
  await fleet(app, FOLD_FROM_BROWSERS);
  // One person who runs a probe.
  await connect(app, {
    browsers: [700],
    site: 'Graz',
    host: 'erp.example.com',
    ms: 900,
    each: 30,
    source: 'probe-https-new',
  });
  const sitesOf = ({ cells }: SiteHostsDocument) => [...new Set(cells.map(({ site }) => site))];
  expect(sitesOf(await ask(app))).toEqual(['Berlin', 'Graz', 'Lyon', 'Oslo']);
  const shown = await ask(app, 'read');
  expect(sitesOf(shown)).toEqual([...SITES]);
  expect(shown.overall).toBe(20);
});
