import { expect, test } from 'vitest';
import type { ChangesDocument } from '../../collector/questions/changes.ts';
import { FOLD_FROM_BROWSERS } from '../../collector/questions/viewer-rule.ts';
import { IS_SHORT } from '../rounds.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { pruneAll } from './prune-all.ts';
import { type TestApp, testApp } from './test-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 20;
/** Midnight before the first day. */
const FIRST = NOW - 12 * HOUR - DAYS * DAY;
const RANGE = `from=${new Date(FIRST).toISOString()}&to=${new Date(FIRST + DAYS * DAY).toISOString()}`;
const EACH_DAY = 12;
/** Some noise, by the day. */
const NOISE = [0, 3, -2, 4, -3, 1, -4];

const dateOf = (day: number) => new Date(FIRST + day * DAY).toISOString().slice(0, 10);

interface Visits {
  /** The first of its browsers. */
  readonly client?: number;
  readonly browsers?: number;
  readonly host?: string;
  readonly target?: string;
  readonly site?: string;
  readonly template?: string;
  readonly msOf: (day: number) => number;
  readonly days?: number;
  readonly eachDay?: (day: number) => number;
}

/** Requests, day by day, by turns of so many browsers. */
const BROWSERS = 5;

async function visit(
  app: TestApp,
  {
    client = 1,
    host = 'erp.example.com',
    target = 'erp',
    site = 'Lyon',
    template = PLAIN_SAMPLE.template,
    msOf,
    days = DAYS,
    eachDay = () => EACH_DAY,
    browsers = BROWSERS,
  }: Visits,
) {
  const rows = Array.from({ length: days }, (_, day) =>
    Array.from({ length: eachDay(day) }, (_, i) => {
      const us = 1000 * (msOf(day) + (NOISE[(day * 3 + i) % NOISE.length] as number));
      const none = { blocked: 0, dns: 0, tcp: 0, tls: 0, redirect: 0 };
      const times = { ...none, wait: us, receive: 0, ttfb: us, ttlb: us };
      const at = FIRST + day * DAY + (9 + (i % EACH_DAY)) * HOUR;
      return { ...PLAIN_SAMPLE, host, target, template, at, times };
    }),
  ).flat();
  for (let turn = 0; turn < browsers; turn++) {
    const own = rows.filter((_, i) => i % browsers === turn);
    await fill(app.store, own, { client: browserId(client * BROWSERS + turn), site });
  }
}

async function ask(app: TestApp, query = RANGE, as: 'read' | 'admin' = 'admin'): Promise<ChangesDocument> {
  const answer = await app.send({ url: `/api/v1/changes?${query}`, as });
  expect([query, answer.statusCode]).toEqual([query, 200]);
  return answer.json();
}

test('app, host and site are slower from the day of the change, by median and average, those with most waiting first', async () => {
  const app = await testApp();
  await visit(app, { msOf: (day) => (day < 12 ? 200 : 260) });
  await visit(app, { client: 2, host: 'crm.example.com', target: 'crm', site: 'Porto', msOf: () => 200 });
  await visit(app, {
    client: 3,
    host: 'shop.example.com',
    target: 'shop',
    site: 'Rome',
    msOf: (day) => (day < 7 ? 300 : 200),
  });
  for (const rolledUp of [false, true]) {
    if (rolledUp) await app.store.maintenance.rollUp();
    const { changes, series, leftOut } = await ask(app);
    // Apps, hosts and types, sites: three of each. A host of one type is not tested again without it.
    expect(series).toEqual({ tested: 9, tooFewDays: 0 });
    expect(leftOut).toEqual({ cells: 0, samples: 0 });
    const told = changes.map(({ target, host, site, statistic, since, direction }) => [
      target ?? host ?? site,
      statistic,
      since,
      direction,
    ]);
    const all = (names: string[], since: string, direction: string) =>
      names.flatMap((name) => ['median', 'mean'].map((statistic) => [name, statistic, since, direction]));
    expect([...told].sort()).toEqual(
      [
        ...all(['erp', 'erp.example.com', 'Lyon'], dateOf(12), 'slower'),
        ...all(['shop', 'shop.example.com', 'Rome'], dateOf(7), 'faster'),
      ].sort(),
    );
    expect(told[0]?.[3]).toBe('faster');
    const erp = changes.find(({ target, statistic }) => target === 'erp' && statistic === 'mean');
    expect(erp?.difference).toBeCloseTo(60, -1);
    expect((erp?.after ?? 0) - (erp?.before ?? 0)).toBeCloseTo(erp?.difference ?? 0, 6);
    // Give or take the clock step.
    expect(erp?.interval[0]).toBeLessThan(61);
    expect(erp?.interval[1]).toBeGreaterThan(59);
    expect([...(erp?.sinceInterval ?? []), dateOf(12)].sort()[1]).toBe(dateOf(12));
  }
});

const PAGES = { fast: { template: '/list' }, slow: { template: '/report', client: 2 } };

test('days with more of a slow page are no slower days; a change beneath them is found, with its size', async () => {
  const app = await testApp();
  const [many, few] = [(day: number) => (day < 12 ? 36 : 12), (day: number) => (day < 12 ? 12 : 36)];
  await visit(app, { ...PAGES.fast, msOf: () => 100, eachDay: many });
  await visit(app, { ...PAGES.slow, msOf: () => 400, eachDay: few });
  const still = await ask(app);
  expect([still.mix, still.changes]).toEqual(['fixed', []]);
  const shop = { host: 'shop.example.com', target: 'shop', site: 'Rome' };
  await visit(app, { ...shop, ...PAGES.fast, msOf: (day) => (day < 8 ? 100 : 80), eachDay: many });
  await visit(app, { ...shop, ...PAGES.slow, msOf: (day) => (day < 8 ? 400 : 320), eachDay: few });
  const { changes } = await ask(app);
  // 55 % of all requests are for the fast page, 45 % for the slow one.
  for (const { since, statistic, difference } of changes) {
    expect(since).toBe(dateOf(8));
    // The median is that of the fast page.
    expect(difference / (statistic === 'mean' ? -47 : -20)).toBeCloseTo(1, 0);
  }
  expect(changes.map(({ target }) => target).filter((target) => target != null)).toEqual(['shop', 'shop']);
});

test('a release that gives its pages new addresses is compared with what was there before', async () => {
  const app = await testApp();
  await visit(app, { template: '/v2/orders', msOf: () => 200, eachDay: (day) => (day < 12 ? EACH_DAY : 0) });
  await visit(app, { template: '/v3/orders', msOf: () => 260, eachDay: (day) => (day < 12 ? 0 : EACH_DAY) });
  const { changes } = await ask(app);
  const told = changes.find(({ target, statistic }) => target === 'erp' && statistic === 'median');
  expect(told).toMatchObject({ since: dateOf(12), direction: 'slower' });
  expect(told?.difference).toBeCloseTo(60, -1);
});

test('once samples are gone, the days are compared as rollups have them, and the answer says so', async () => {
  const app = await testApp();
  await visit(app, { msOf: (day) => (day < 12 ? 200 : 260) });
  await app.store.maintenance.rollUp();
  await pruneAll(app.store, NOW, { sampleDays: 1, hourDays: 90, dayDays: 700, monthDays: null });
  const { changes, mix } = await ask(app);
  expect(mix).toBe('daily');
  expect(changes.find(({ target }) => target === 'erp')).toMatchObject({ since: dateOf(12), direction: 'slower' });
});

const isWeekend = (day: number) => [0, 6].includes(new Date(FIRST + day * DAY).getUTCDay());

test('a change smaller than what weekends differ by is found, because weekends are compared with weekends', async () => {
  const app = await testApp();
  const msOf = (day: number) => (isWeekend(day) ? 50 : 400) * (day < 10 ? 1 : 1.2);
  await visit(app, { msOf });
  const { changes } = await ask(app);
  expect(changes.map(({ since }) => since)).toEqual(Array.from({ length: 6 }, () => dateOf(10)));
});

test('a weekly pattern, noise, a small change and a day that is only partly in the range are no change', async () => {
  const app = await testApp();
  await visit(app, { msOf: (day) => (isWeekend(day) ? 100 : 200) });
  await visit(app, {
    client: 2,
    host: 'crm.example.com',
    target: 'crm',
    site: 'Porto',
    msOf: (day) => (day < 10 ? 200 : 206),
  });
  expect((await ask(app)).changes).toEqual([]);
});

test('seven days and parts of two others are too few', async () => {
  const app = await testApp();
  await visit(app, { msOf: (day) => (day < 5 ? 200 : 300), days: 9 });
  expect(await ask(app)).toMatchObject({ changes: [], series: { tested: 0, tooFewDays: 3 } });
});

test('days begin in the zone asked for', async () => {
  const app = await testApp();
  await visit(app, { msOf: (day) => (day < 12 ? 200 : 260) });
  // All but the first requests of a day, from 10 UTC on, are after midnight there.
  const { changes } = await ask(app, `${RANGE}&zone=Pacific/Kiritimati`);
  expect(new Set(changes.map(({ since }) => since))).toEqual(new Set([dateOf(13)]));
});

test('a change is the same in each range that it began in, and in no other', async () => {
  const app = await testApp();
  await visit(app, { msOf: (day) => (day < 7 ? 200 : day < 13 ? 300 : 240) });
  const all = (await ask(app)).changes;
  expect([...new Set(all.map(({ since }) => since))].sort()).toEqual([dateOf(7), dateOf(13)]);
  const between = async (from: number, to: number) => {
    const range = `from=${new Date(FIRST + from * DAY).toISOString()}&to=${new Date(FIRST + to * DAY).toISOString()}`;
    return (await ask(app, range)).changes;
  };
  for (const from of [0, 3.3, 6, 7, 7.5, 8, 12, 13.5, 14]) {
    for (const to of [15, 16.5, 20, 40]) {
      const inside = all.filter(({ since }) => since >= dateOf(Math.floor(from)) && since < dateOf(Math.ceil(to)));
      expect([from, to, await between(from, to)]).toEqual([from, to, inside]);
    }
  }
});

test('a change of fewer than five browsers is told to viewers no more than to admins', async () => {
  const app = await testApp();
  for (let client = 1; client <= FOLD_FROM_BROWSERS; client++)
    await visit(app, { client, browsers: 1, msOf: () => 200 });
  const own = { host: 'own.example.com', site: 'Porto', msOf: (day: number) => (day < 12 ? 200 : 500) };
  await visit(app, { ...own, client: 99, browsers: 4 });
  const named = ({ changes }: ChangesDocument) => changes.flatMap(({ host, site }) => host ?? site ?? []);
  for (const as of ['admin', 'read'] as const) expect([as, named(await ask(app, RANGE, as))]).toEqual([as, []]);
  await visit(app, { ...own, client: 100, browsers: 1 });
  expect([...new Set(named(await ask(app)))].sort()).toEqual(['Porto', 'own.example.com']);
});

test.skipIf(IS_SHORT)(
  'the first page of a report names what changed, and the annotation of the day before',
  async () => {
    const app = await testApp();
    await visit(app, { msOf: (day) => (day < 12 ? 200 : 260) });
    const at = new Date(FIRST + 11 * DAY + 12 * HOUR).toISOString();
    const noted = await app.send({
      method: 'POST',
      url: '/api/v1/annotations',
      as: 'admin',
      payload: { text: 'release 4.2', at, host: 'erp.example.com' },
    });
    expect(noted.statusCode).toBe(200);
    const report = async (format: string) =>
      (await app.send({ url: `/api/v1/report?view=monthly&format=${format}&${RANGE}`, as: 'admin' })).body;
    expect(JSON.parse(await report('json')).changes).toEqual((await ask(app)).changes);
    expect((await report('md')).replace(/\s+/g, ' ')).toMatch(
      new RegExp(`Changed in this range:.*erp: \\d+ ms slower .* since ${dateOf(12)}.*1 day after “release 4\\.2”`),
    );
    // It stands below the chart of the days too, on the date of the report's zone.
    const dayIn = async (zone: string) => {
      const url = `/api/v1/report?view=monthly&format=md&zone=${zone}&${RANGE}`;
      const { body } = await app.send({ url, as: 'admin' });
      return /What happened:\s+1\. \w+ (\d+): release 4\.2 · erp\.example\.com/.exec(body)?.[1];
    };
    const noon = new Date(at).getUTCDate();
    expect([await dayIn('UTC'), await dayIn('Pacific/Auckland')]).toEqual([String(noon), String(noon + 1)]);
    expect(await report('html')).toMatch(/<svg.*release 4\.2.*<\/svg>/s);
  },
);
