import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JourneyResult } from '../../collector/analysis/probes/journey-results.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { PROBING_SETTINGS, proberOf, probeSamples, statusOf } from '../unit/dashboard/probing-fleet.ts';
import { makeSample } from '../unit/summary/make-sample.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { type TestApp, testApp } from './test-app.ts';

const DAY = 24 * 3_600_000;
const RANGE = `from=${new Date(NOW - DAY).toISOString()}&to=${new Date(NOW).toISOString()}`;

interface StepRow {
  readonly probe: string;
  readonly site: string;
  readonly step: number;
}

async function probed(): Promise<TestApp> {
  const app = await testApp();
  await app.store.settings.write(PROBING_SETTINGS, null, NOW);
  const probes = probeSamples(NOW);
  const users = Array.from({ length: 100 }, (_, i) =>
    makeSample({
      at: NOW - 1000 - i,
      connection: i < 96 ? 'reused' : 'new',
      times: { wait: 50_000 },
      origin: { client: `user-of-porto-${i % 9}`, site: 'Porto', browserVersion: '128.0' },
    }),
  );
  for (const client of new Set([...probes, ...users].map(({ origin }) => origin.client))) {
    const own = [...probes, ...users].filter(({ origin }) => origin.client === client);
    const [first] = own;
    if (first === undefined) continue;
    const payload = encodeBatch(first.origin, randomUUID(), NOW, own, statusOf(client, NOW));
    const answer = await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload });
    expect(answer.json()).toMatchObject({ accepted: own.length });
  }
  return app;
}

test('probes are answered path by path, with users’ own traffic beside them and never in them', async () => {
  const app = await probed();
  const answer = (await app.send({ url: `/api/v1/probes?${RANGE}`, as: 'admin' })).json();
  expect(answer.paths.map(({ host, site }: { host: string; site: string }) => `${host} ${site}`)).toEqual([
    'erp.example.com Berlin',
    'erp.example.com Lyon',
    'erp.example.com Porto',
  ]);
  const porto = answer.paths[2];
  expect(porto.users).toEqual({ requests: 100, reuse: 0.96 });
  expect(porto.sentence).toContain('users here reuse 96 % of the time');
  const fresh = porto.scenarios.find(({ scenario }: { scenario: string }) => scenario === 'https-new');
  expect(fresh).toMatchObject({ browsers: 2, methods: ['close_header'], users: { n: 4 } });
  expect(fresh.probes.n).toBe(fresh.kept);
  expect(fresh.discarded.not_new).toBe(4);
  expect(answer.paths[0].users.requests).toBe(0);
  expect(answer.turns).toEqual({ run: 6 + 6 * 23, skipped: { not_idle: 6 } });
  expect(answer.journeys.map(({ site, up, down }: JourneyResult) => [site, up, down])).toEqual([
    ['Lyon', 42, 4],
    ['Berlin', 46, 0],
    ['Porto', 46, 0],
  ]);
  expect(answer.journeys[1]).toMatchObject({ journey: 'order', target: 'erp', median: 340, broken: null });
  const steps = answer.view.tables[0].rows.filter(({ probe }: { probe: string }) => probe === 'order');
  expect(new Set(steps.map(({ threshold }: { threshold: number }) => threshold))).toEqual(new Set([300, 160]));
  expect(answer.availability.rows).toHaveLength(3);
});

test('tables, rules and sentences are in the language that the reader prefers', async () => {
  const app = await probed();
  const headers = { 'accept-language': 'fr, de-CH;q=0.8, en;q=0.5' };
  const answer = (await app.send({ url: `/api/v1/probes?${RANGE}`, as: 'admin', headers })).json();
  expect(answer.paths[2].sentence).toMatch(
    /^HTTPS kostet auf diesem Weg .+ je Anfrage auf einer bestehenden Verbindung und \d+ ms, wenn alles neu ist; .+ zu 96 % /,
  );
  expect(answer.view.tables[0].title).toBe('Schritte');
  expect(answer.method.rules[0]).toMatch(/^Fehlgeschlagene Anfragen/);
});

test('filters hold for probes, users and turns alike', async () => {
  const app = await probed();
  const ask = async (more: string) => (await app.send({ url: `/api/v1/probes?${RANGE}&${more}`, as: 'admin' })).json();
  const porto = await ask('site=Porto');
  expect([porto.paths.length, porto.turns.run, porto.availability.rows.length]).toEqual([1, 2 + 2 * 23, 1]);
  expect((await ask('target=crm')).paths).toEqual([]);
  const journeysAt = async (more: string) => (await ask(more)).journeys.length;
  expect(
    await Promise.all(['site=Porto', 'journey=order', 'journey=other', 'not.journey=order'].map(journeysAt)),
  ).toEqual([1, 3, 0, 0]);
  // A run does not tell its hosts.
  expect(await journeysAt('host=erp.example.com')).toBe(0);
  const one = await ask('source=probe-https-new');
  expect(
    one.paths[0].scenarios.map(({ scenario, runs }: { scenario: string; runs: number }) => [scenario, runs > 0]),
  ).toContainEqual(['https-new', true]);
});

test('a viewer is not told of paths that fewer than five browsers probed', async () => {
  const app = await probed();
  await app.store.settings.write({ ...PROBING_SETTINGS, privacy: { foldSmallGroups: true } }, 1, NOW);
  const answer = (await app.send({ url: `/api/v1/probes?${RANGE}`, as: 'read' })).json();
  const { paths, availability, view, journeys } = answer;
  expect([paths, availability.rows, view.tables[0].rows, journeys]).toEqual([[], [], [], []]);
  expect(answer.method.folded).toEqual({ below: 5, shownTogether: false });
  expect(JSON.stringify(answer)).not.toContain(proberOf('Porto', 0));
});

test('releases of browser and extension can be told apart, sample by sample', async () => {
  const app = await probed();
  const ask = (filter: string) => app.send({ url: `/api/v1/compare?${RANGE}&${filter}`, as: 'admin' });
  const answer = await ask('before.browserVersion=chromium%20128&after.browserVersion=firefox%20128&source=page');
  expect(answer.json().cells[0]).toMatchObject({ before: { n: 100 }, after: null });
  expect((await ask('before.extension=0.1.0&after.browser=chromium')).json().cells).toHaveLength(1);
});

test('a stored probe that looks for a text with the users’ cookies is off: browsers do not get it, and it is said', async () => {
  const app = await testApp();
  const { probes } = PROBING_SETTINGS;
  const schedule = (probes?.schedule ?? []).map((probe) => ({ ...probe, cookies: true }));
  await app.store.settings.write({ ...PROBING_SETTINGS, probes: { enabled: true, schedule } }, null, NOW);
  const polled = (await app.send({ url: '/api/v1/extension-settings', as: 'ingest' })).json();
  expect(polled.probes.schedule).toMatchObject([{ id: 'logo' }]);
  expect((await app.send({ url: `/api/v1/probes?${RANGE}`, as: 'admin' })).json().off).toEqual(['order']);
  const payload = (await app.send({ url: '/api/v1/settings', as: 'admin' })).json();
  const put = await app.send({ method: 'PUT', url: '/api/v1/settings', as: 'admin', payload });
  expect([put.statusCode, put.json().error]).toMatchObject([
    400,
    { code: 'invalid_settings', problems: [{ path: '/probes/schedule/1/steps/1/text', code: 'text_with_cookies' }] },
  ]);
});

test('beside each step stand users’ own requests on its path from the same site, also where filters are about probes alone', async () => {
  const app = await probed();
  const users = (site: string, template: string, ms: number, clients = 1) =>
    Array.from({ length: clients }, (_, i) =>
      makeSample({
        ...{ at: NOW - 5000, template, times: { wait: ms * 1000, receive: 0 } },
        origin: { client: `user-${site}-${i}`, site },
      }),
    );
  for (const samples of [users('Lyon', '/login', 30), users('Lyon', '/other', 5), users('Porto', '/orders', 40, 9)]) {
    for (const sample of samples) {
      const payload = encodeBatch(sample.origin, randomUUID(), NOW, [sample], null);
      await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload });
    }
  }
  const usersOf = async (as: 'admin' | 'read', more = '') => {
    const answer = (await app.send({ url: `/api/v1/probes?${RANGE}${more}`, as })).json();
    const rows: (StepRow & { readonly users: number | null; readonly reason: string; readonly time: number })[] =
      answer.view.tables[0].rows.filter(({ probe }: StepRow) => probe === 'order');
    return rows.map((row) => [row.site, row.step, row.users ?? row.reason, row.time]);
  };
  const all = [
    ['Berlin', 1, 'no requests', 190],
    ['Berlin', 2, 'no requests', 150],
    ['Lyon', 1, 30, 190],
    ['Lyon', 2, 'no requests', 150],
    ['Porto', 1, 'no requests', 190],
    ['Porto', 2, 40, 150],
  ];
  expect(await usersOf('admin')).toEqual(all);
  expect(await usersOf('admin', '&journey=order&source=probe-script&host=erp.example.com')).toEqual(all);
  expect(await usersOf('admin', '&journeyStep=2&site=Porto')).toEqual([['Porto', 2, 40, 150]]);
});
