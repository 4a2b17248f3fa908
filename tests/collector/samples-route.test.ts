import { expect, test } from 'vitest';
import type { PageViewDocument } from '../../collector/questions/page-view.ts';
import type { SamplesDocument } from '../../collector/questions/samples.ts';
import type { Role } from '../../collector/storage/store.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CLIENT = /c0ffee00/;

/** A request that took so many milliseconds. */
function took(ms: number, more: Partial<Sample> = {}): Sample {
  const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0 };
  const times = { ...none, wait: ms * 1000 - 2500, receive: 2500, ttfb: ms * 1000 - 2500, ttlb: ms * 1000 };
  return { ...PLAIN_SAMPLE, at: NOW - HOUR, times, ...more };
}

async function samples(app: TestApp, query = '', as: Role = 'admin'): Promise<SamplesDocument> {
  const answer = await app.send({ url: `/api/v1/samples?${query}`, as });
  expect([query, answer.statusCode, answer.body]).toEqual([query, 200, expect.not.stringMatching(CLIENT)]);
  return answer.json();
}

const timesOf = ({ samples: all }: SamplesDocument) => all.map(({ ttlb }) => ttlb);

test('the requests behind a point: in each order, between bounds, counted', async () => {
  const app = await testApp();
  const random = seededRandom(7);
  const all = Array.from({ length: 900 }, () => 100 + Math.floor(random() * 5000));
  // In several chunks, of which one is rolled up and merged.
  for (const [part, from] of [0, 300, 600].entries()) {
    const rows = all.slice(from, from + 300).map((ms, i) => took(ms, { at: NOW - HOUR + from + i }));
    await fill(app.store, rows, { client: browserId(part) });
    if (part === 1) await app.store.maintenance.rollUp();
  }
  await fill(app.store, [took(9000, { host: 'cdn.example.com' })]);
  const sorted = [...all].sort((a, b) => a - b);
  const erp = 'not.host=cdn.example.com';
  expect(timesOf(await samples(app, 'limit=1'))).toEqual([9000]);
  const slowest = await samples(app, `${erp}&limit=200`);
  expect([slowest.matching, timesOf(slowest)]).toEqual([900, [...sorted].reverse().slice(0, 200)]);
  expect(timesOf(await samples(app, `${erp}&order=fastest`))).toEqual(sorted.slice(0, 50));
  expect(timesOf(await samples(app, `${erp}&order=newest&limit=7`))).toEqual([...all].reverse().slice(0, 7));
  const median = sorted[Math.floor((900 - 1) / 2)] as number;
  const near = all.map((ms) => Math.abs(ms - median)).sort((a, b) => a - b);
  const nearest = timesOf(await samples(app, `${erp}&order=median&limit=40`));
  expect(nearest.map((ms) => Math.abs((ms ?? 0) - median))).toEqual(near.slice(0, 40));
  const between = await samples(app, `${erp}&min=1000&max=2000.5&limit=200`);
  const expected = sorted.filter((ms) => ms >= 1000 && ms < 2000.5);
  expect([between.matching, timesOf(between)]).toEqual([expected.length, [...expected].reverse().slice(0, 200)]);
  expect(timesOf(await samples(app, `${erp}&min=${median}&max=${median + 0.001}`)).every((ms) => ms === median)).toBe(
    true,
  );
});

test('a request is described as far as it is known, and never by its browser or key', async () => {
  const app = await testApp();
  await fill(app.store, [took(300, { template: '/orders/{n}', idleMs: 31_000, error: null })], { site: '' });
  const [one] = (await samples(app, 'template=/orders/%7Bn%7D')).samples;
  expect(one).toMatchObject({
    at: new Date(NOW - HOUR).toISOString(),
    target: 'erp',
    host: 'erp.example.com',
    template: '/orders/{n}',
    site: null,
    browser: 'chromium',
    browserVersion: '128.0.6613.84',
    ttlb: 300,
    ttfb: 297.5,
    idleMs: 31_000,
  });
  expect(Object.keys(one ?? {})).not.toContain('key');
  expect(Object.values(one?.phases ?? {}).reduce<number>((sum, ms) => sum + (ms ?? 0), 0)).toBeCloseTo(300, 6);
});

test('requests without a value of the metric do not match: unusable ones, and phases of reused connections', async () => {
  const app = await testApp();
  await fill(app.store, [
    took(100),
    took(200, { connection: 'reused' }),
    took(300, { excluded: 'hidden' }),
    took(400, { connection: 'failed', excluded: 'failed', error: 'net::ERR_FAILED' }),
  ]);
  expect(timesOf(await samples(app))).toEqual([200, 100]);
  expect(timesOf(await samples(app, 'metric=tls'))).toEqual([100]);
  expect(timesOf(await samples(app, 'metric=setup&order=newest'))).toEqual([100]);
});

test.each([
  ['min=5&max=5', 'min is not below max'],
  ['min=-1', 'min is “-1”'],
  ['max=1e9', 'max is “1e9”'],
  ['limit=201', 'limit is “201”'],
  ['order=random', 'order has the unknown value “random”'],
  ['metric=colour', 'metric has the unknown value “colour”'],
])('%s is refused', async (query, message) => {
  const { error } = (await (await testApp()).send({ url: `/api/v1/samples?${query}`, as: 'read' })).json();
  expect(error).toMatchObject({ code: 'invalid_parameter', message, hint: expect.any(String) });
});

test('viewers get no more of a request than in an export', async () => {
  const app = await testApp();
  await fill(app.store, [took(100)]);
  const { samples: shown, withheld } = await samples(app, '', 'read');
  expect(withheld).toContain('id');
  for (const name of withheld) expect([name, shown[0]?.[name as 'id']]).toEqual([name, null]);
  expect(shown[0]).toMatchObject({ host: 'erp.example.com', ttlb: 100 });
  expect((await samples(app)).withheld).toEqual([]);
});

async function pageView(app: TestApp, query: string, as: Role = 'admin'): Promise<PageViewDocument> {
  const answer = await app.send({ url: `/api/v1/page-view?${query}`, as });
  expect([query, answer.statusCode, answer.body]).toEqual([query, 200, expect.not.stringMatching(CLIENT)]);
  return answer.json();
}

/** Two page views of one browser in an app, requests of its other app, of another browser, and a probe's. */
async function browsed(): Promise<TestApp> {
  const app = await testApp();
  const at = (offset: number) => NOW - HOUR + offset;
  const page = (offset: number, template: string) => took(400, { at: at(offset), type: 'document', template });
  await fill(app.store, [
    page(0, '/first'),
    took(90, { at: at(700), type: 'script', template: '/app.js' }),
    took(800, { at: at(650), type: 'fetch', template: '/slow' }),
    took(50, { at: at(660), type: 'fetch', target: 'crm', template: '/crm' }),
    took(50, { at: at(670), source: 'probe-https-new', template: '/probe' }),
    page(5000, '/second'),
    took(60, { at: at(5400), type: 'image', template: '/logo' }),
  ]);
  await fill(app.store, [took(70, { at: at(640), type: 'fetch', template: '/other' })], { client: browserId(9) });
  return app;
}

test('a page view: its document and what followed until the next one, with offsets', async () => {
  const app = await browsed();
  const [slow] = (await samples(app, 'template=/slow')).samples;
  const view = await pageView(app, `id=${slow?.id}`);
  expect(view).toMatchObject({
    reason: null,
    from: new Date(NOW - HOUR).toISOString(),
    to: new Date(NOW - HOUR + 5000).toISOString(),
    end: 'next_document',
    omitted: 0,
  });
  const facts = view.requests.map(({ template, offsetMs, asked, ttlb }) => [template, offsetMs, asked, ttlb]);
  expect(facts).toEqual([
    ['/first', 0, false, 400],
    ['/slow', 650, true, 800],
    ['/app.js', 700, false, 90],
  ]);
  const [logo] = (await samples(app, 'template=/logo')).samples;
  const second = await pageView(app, `id=${logo?.id}`);
  expect(second.requests.map(({ template }) => template)).toEqual(['/second', '/logo']);
  expect(second.end).toBe('limit');
});

test('a page view by browser, app and time', async () => {
  const app = await browsed();
  const at = new Date(NOW - HOUR + 900).toISOString();
  const { client } = { client: 'c0ffee00-0000-4000-8000-000000000001' };
  const { requests } = await pageView(app, `client=${client}&target=erp&at=${at}`);
  expect(requests.map(({ template }) => template)).toEqual(['/first', '/slow', '/app.js']);
});

test('a document is found hours back, and requests beyond 500 are counted', async () => {
  const app = await testApp();
  const start = NOW - 8 * HOUR;
  const polls = Array.from({ length: 620 }, (_, i) =>
    took(20, { at: NOW - 2 * HOUR + i, type: 'fetch', template: '/poll' }),
  );
  await fill(app.store, [took(400, { at: start, type: 'document', template: '/spa' }), ...polls]);
  const [poll] = (await samples(app, 'template=/poll&limit=1')).samples;
  const view = await pageView(app, `id=${poll?.id}`);
  expect([view.requests.length, view.omitted, view.requests[0]?.template]).toEqual([500, 121, '/spa']);
  expect(view.requests[1]?.offsetMs).toBe(6 * HOUR);
});

test('why there is no page view', async () => {
  const app = await browsed();
  const [slow] = (await samples(app, 'template=/slow')).samples;
  const none = { from: null, to: null, end: null, requests: [], omitted: 0 };
  expect(await pageView(app, `id=${slow?.id}`, 'read')).toEqual({ reason: 'admins_only', ...none });
  expect(await pageView(app, `id=${slow?.id?.replace(/.$/, 'x')}`)).toEqual({ reason: 'not_found', ...none });
  const [crm] = (await samples(app, 'template=/crm')).samples;
  expect(await pageView(app, `id=${crm?.id}`)).toEqual({ reason: 'no_document', ...none });
  await fill(app.store, [took(5, { template: '/shared' })], { client: '(other)' });
  const [shared] = (await samples(app, 'template=/shared')).samples;
  expect(await pageView(app, `id=${shared?.id}`)).toEqual({ reason: 'shared_browser', ...none });
});

test.each([
  ['', 'there is no id'],
  ['id=x', 'id is not the id of a sample'],
  ['client=a&target=erp', 'there is no id'],
  [`id=0-${'a'.repeat(22)}&target=erp`, 'id is given beside client, target or at'],
])('a page view of %j is refused', async (query, message) => {
  const { error } = (await (await testApp()).send({ url: `/api/v1/page-view?${query}`, as: 'admin' })).json();
  expect(error).toMatchObject({ code: 'invalid_parameter', message, hint: expect.any(String) });
});
