import { expect, test } from 'vitest';
import type { SummaryDocument } from '../../collector/analysis/summary/summary-document.ts';
import { FOLD_FROM_BROWSERS, MIN_GROUP_SIZE } from '../../collector/questions/viewer-rule.ts';
import { FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

/** Each of so many browsers asks the host once, the last minute. */
async function visit(app: TestApp, host: string, from: number, to: number, more: Partial<typeof PLAIN_SAMPLE> = {}) {
  for (let browser = from; browser < to; browser++) {
    await fill(app.store, [{ ...PLAIN_SAMPLE, at: NOW - 1 - browser, host, ...more }], { client: browserId(browser) });
  }
}

async function summary(app: TestApp, as: 'read' | 'admin', query = 'by=host'): Promise<SummaryDocument> {
  return (await app.send({ url: `/api/v1/summary?${query}`, as })).json();
}

async function report(app: TestApp, query: string): Promise<string> {
  const range = `from=${new Date(NOW - 86_400_000).toISOString()}&to=${new Date(NOW).toISOString()}`;
  return (await app.send({ url: `/api/v1/report?${query}&${range}`, as: 'read' })).body;
}

const hosts = ({ cells }: SummaryDocument) => cells.map(({ host, samples, browsers }) => [host, samples, browsers]);

test('viewers see groups of few browsers only together, and are told; admins see all', async () => {
  const app = await testApp();
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  await visit(app, 'a.example.com', 0, 4);
  await visit(app, 'b.example.com', 3, 6);
  const document = await summary(app, 'read');
  expect(hosts(document)).toEqual([
    [FEW_BROWSERS, 7, 6],
    ['erp.example.com', 20, 20],
  ]);
  expect(document.method.folded).toEqual({ below: MIN_GROUP_SIZE, shownTogether: true });
  // Neither has enough browsers to be named.
  expect(document.cells[0]).not.toHaveProperty('foldedWith');
  expect(document.method.rules.join()).toContain('Groups of few browsers are shown only together, as (few browsers)');
  const all = await summary(app, 'admin');
  expect(hosts(all)).toEqual([
    ['a.example.com', 4, 4],
    ['b.example.com', 3, 3],
    ['erp.example.com', 20, 20],
  ]);
  expect(all.method).not.toHaveProperty('folded');
});

test('what is too few even together takes the next smallest along, nor can a filter or a short range get at it', async () => {
  const app = await testApp();
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  await visit(app, 'crm.example.com', 0, FOLD_FROM_BROWSERS);
  await visit(app, 'a.example.com', 0, 1, { at: NOW - 3_600_000 });
  const document = await summary(app, 'read');
  expect(hosts(document)).toEqual([
    [FEW_BROWSERS, 21, 20],
    ['erp.example.com', 40, 20],
  ]);
  expect(document.method.folded).toEqual({ below: 5, shownTogether: true });
  // It is named, but its own numbers, and so those of the other, are still in no answer.
  expect(document.cells.map(({ foldedWith }) => foldedWith)).toEqual(['crm.example.com', undefined]);
  expect((await summary(app, 'read', 'by=type&host=crm.example.com')).cells).toEqual([]);
  expect((await summary(app, 'read', 'by=type&not.host=crm.example.com')).cells).toEqual([]);
  expect(JSON.stringify(await summary(app, 'read', 'by=host,type'))).not.toContain('crm.example.com');
  expect((await report(app, 'view=summary&by=host&format=md')).includes('crm.example.com and few browsers')).toBe(true);
  expect((await summary(app, 'read', 'by=type&host=a.example.com')).cells).toEqual([]);
  const early = `from=${new Date(NOW - 2 * 3_600_000).toISOString()}&to=${new Date(NOW - 60_000).toISOString()}`;
  expect((await summary(app, 'read', `by=host&${early}`)).cells).toEqual([]);
  expect((await summary(app, 'admin', `by=host&${early}`)).cells).toHaveLength(1);
});

test('a folded group is summed up like any other', async () => {
  const app = await testApp();
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  await visit(app, 'a.example.com', 0, 3);
  await visit(app, 'b.example.com', 3, 6, { connection: 'reused' });
  const [few] = (await summary(app, 'read')).cells;
  expect(few).toMatchObject({
    host: FEW_BROWSERS,
    samples: 6,
    connections: { new: 3, reused: 3 },
    phases: { ttlb: { n: 6 }, tcp: { n: 3 } },
    setup: { perRequest: { n: 6 }, perConnection: { n: 3 } },
    gap: { n: 6 },
  });
});

test('a small fleet is not folded, unless the settings say so; nor a large one, if they say not', async () => {
  const app = await testApp();
  await visit(app, 'a.example.com', 0, 4);
  expect(hosts(await summary(app, 'read'))).toEqual([['a.example.com', 4, 4]]);
  const write = async (foldSmallGroups: boolean, revision: number | null) =>
    app.store.settings.write({ version: 1, targets: [], privacy: { foldSmallGroups } }, revision, NOW);
  await write(true, null);
  expect(hosts(await summary(app, 'read'))).toEqual([]);
  await write(false, 1);
  await visit(app, 'erp.example.com', 4, 4 + FOLD_FROM_BROWSERS);
  expect(hosts(await summary(app, 'read'))).toContainEqual(['a.example.com', 4, 4]);
});

test('no question tells a viewer of few browsers', async () => {
  const app = await testApp();
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  await visit(app, 'rare.example.com', 0, 2, { template: '/rare', type: 'font', target: 'rare', connection: 'opaque' });
  await visit(app, 'rare.example.com', 0, 2, { template: '/rare', type: 'font', target: 'rare' });
  await visit(app, 'rare.example.com', 0, 2, { template: '/rare', source: 'probe-https-new' });
  const addresses = [
    'summary?by=host,target&include=gapCuts,overheads',
    'histogram?by=host',
    'timeline?by=host&step=5m',
    'compare?by=host',
    'pages',
    'evidence',
    'report?view=pages',
    'probes',
  ];
  for (const address of addresses) {
    const viewer = await app.send({ url: `/api/v1/${address}`, as: 'read' });
    expect([address, viewer.statusCode, /rare/.test(viewer.body)]).toEqual([address, 200, false]);
    const admin = await app.send({ url: `/api/v1/${address}`, as: 'admin' });
    expect([address, /rare/.test(admin.body)]).toEqual([address, true]);
  }
});

test('a step of a timeline with few browsers says so instead of a number', async () => {
  const app = await testApp();
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  await visit(app, 'erp.example.com', 0, 2, { at: NOW - 3_600_001 });
  await visit(app, 'erp.example.com', 0, 19, { at: NOW - 7_200_001 });
  const from = new Date(NOW - 3 * 3_600_000).toISOString();
  const { cells } = (await app.send({ url: `/api/v1/timeline?step=1h&from=${from}`, as: 'read' })).json();
  expect(cells[0].steps).toMatchObject([
    // Enough browsers, but the total less all others would tell the step that has too few.
    { n: null, median: null, reason: 'few_browsers' },
    { n: null, median: null, reason: 'few_browsers' },
    { n: 40, reason: null },
  ]);
});

test('browsers are named to admins only, however small the fleet', async () => {
  const app = await testApp();
  await visit(app, 'erp.example.com', 0, 3);
  const cuts = async (as: 'read' | 'admin') => (await summary(app, as, 'by=host&include=gapCuts')).cells[0]?.gapCuts;
  expect((await cuts('admin'))?.browsers?.map(({ name }) => name)).toContain(browserId(0));
  expect((await cuts('read'))?.browsers).toBeNull();
  expect((await cuts('read'))?.hosts).toHaveLength(1);
});

test('a rule over few browsers tells viewers whether it fires, not what it measured', async () => {
  const app = await testApp();
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  const rules = [{ id: 'slow', site: 'Porto', aboveMs: 1, minSamples: 1 }];
  await app.store.settings.write({ version: 1, targets: [], alerts: { webhooks: [], rules } }, null, NOW);
  const states = { slow: { on: true, verdicts: [], since: NOW - 2, value: 4711, n: 3, at: NOW - 1 } };
  await app.store.keyValues.write('alerts', { states, queue: [] });
  const ruleFor = async (as: 'read' | 'admin') => (await app.send({ url: '/api/v1/alerts', as })).json().rules[0];
  expect(await ruleFor('admin')).toMatchObject({ on: true, value: 4711, samples: 3 });
  expect(await ruleFor('read')).toMatchObject({ rule: 'slow', on: true, value: null, samples: null });
});

test('viewers of a folded fleet are not told when browsers were last seen, nor whose clock is wrong most', async () => {
  const app = await testApp();
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS);
  await fill(app.store, [{ ...PLAIN_SAMPLE, at: NOW - 7_200_000 }], { client: browserId(99) }, 60_000);
  const fleetFor = async (as: 'read' | 'admin') => (await app.send({ url: '/api/v1/evidence', as })).json().fleet;
  expect(await fleetFor('admin')).toMatchObject({ lastSeen: { day: 1 }, clocks: { corrected: 1, largestMs: 60_000 } });
  expect(await fleetFor('read')).toMatchObject({ browsers: 21, lastSeen: null, clocks: null });
});

test('viewers are told how many times are unknown, by no reason that only one engine has', async () => {
  const app = await testApp();
  const chromium = { ...PLAIN_SAMPLE.times, tcp: null };
  await visit(app, 'erp.example.com', 0, FOLD_FROM_BROWSERS, { unknown: { tcp: 'begun_earlier' }, times: chromium });
  const firefox = { ...PLAIN_SAMPLE.times, dns: null, tcp: null };
  const unknown = { dns: 'firefox_dns', tcp: 'queued' } as const;
  await fill(app.store, [{ ...PLAIN_SAMPLE, unknown, times: firefox }], { client: browserId(20), browser: 'firefox' });
  const merged = { unknown: { tcp: 'merged_h3' }, times: { ...PLAIN_SAMPLE.times, tcp: null } } as const;
  await fill(app.store, [{ ...PLAIN_SAMPLE, ...merged }], { client: browserId(0) });
  const reasons = async (address: string, as: 'read' | 'admin') => {
    const { body } = await app.send({ url: `/api/v1/${address}`, as });
    return [/firefox_|queued|begun_earlier|preconnected/.test(body), JSON.parse(body).cells?.[0]?.unknown];
  };
  for (const address of ['summary?by=host', 'pages', 'evidence']) {
    expect([address, ...(await reasons(address, 'read'))]).toEqual([
      address,
      false,
      { dns: { '(of the browser)': 1 }, tcp: { '(of the browser)': 21, merged_h3: 1 } },
    ]);
    expect([address, ...(await reasons(address, 'admin'))]).toEqual([
      address,
      true,
      { dns: { firefox_dns: 1 }, tcp: { begun_earlier: 20, queued: 1, merged_h3: 1 } },
    ]);
  }
  const report = async (as: 'read' | 'admin') => reasons('report?format=json&view=summary&by=host', as);
  expect((await report('read'))[0]).toBe(false);
});
