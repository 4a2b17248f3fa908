import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../collector/storage/sqlite/open-sqlite-store.ts';
import type { ClientInfo } from '../../shared/sample/sample.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { STATUS } from '../unit/wire/status-fixture.ts';
import { browserId } from './fill-store.ts';
import { countedTurns, heardBrowsers } from './read-fleet.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestApp, testApp } from './test-app.ts';

async function send(
  app: TestApp,
  origin: Partial<ClientInfo>,
  status: BrowserStatus | null,
  { id = randomUUID(), sentAt = NOW, rows = 1 } = {},
): Promise<void> {
  const samples = Array.from({ length: rows }, () => ({ ...PLAIN_SAMPLE, at: sentAt - 1000 }));
  const payload = encodeBatch({ ...ORIGIN, ...origin }, id, sentAt, samples, status);
  const answer = await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload });
  expect(answer.statusCode).toBe(200);
}

const RANGE = `from=${new Date(NOW - 3_600_000).toISOString()}&to=${new Date(NOW + 1).toISOString()}`;
const fleet = async (app: TestApp, as: 'read' | 'admin' = 'admin', more = '') =>
  (await app.send({ url: `/api/v1/fleet?${RANGE}${more}`, as })).json();

test('admins see each browser as it last said it was; viewers see counts', async () => {
  const app = await testApp();
  await send(app, { client: browserId(1), site: 'Hannover' }, STATUS);
  await send(app, { client: browserId(2), site: 'Hannover' }, null);
  await send(
    app,
    { client: browserId(3), site: 'Porto' },
    { ...STATUS, state: 'collecting', turns: [] },
    {
      sentAt: NOW - 3_600_000,
      rows: 0,
    },
  );
  const seen = await fleet(app);
  expect(seen).toMatchObject({
    browsers: 3,
    states: { collecting: 1, degraded: 1, unknown: 1 },
    clocksWrong: 1,
    dropped: [{ reason: 'full', count: 20, browsers: 2 }],
    rejected: [{ reason: 'bad_host', count: 4, browsers: 2 }],
    lost: [{ reason: 'flood', count: 8, browsers: 2 }],
    sites: [
      { site: 'Hannover', browsers: 2, degraded: 1 },
      { site: 'Porto', browsers: 1, degraded: 0 },
    ],
  });
  expect(seen.named).toHaveLength(3);
  expect(seen.named.find(({ client }: { client: string }) => client === browserId(1))).toMatchObject({
    site: 'Hannover',
    state: 'degraded',
    waiting: 3,
    dropped: 12,
    lost: 4,
    clockCorrection: 0,
  });
  expect(await fleet(app, 'read')).toEqual({ ...seen, named: null });
  expect(await fleet(app, 'admin', '&site=Porto')).toMatchObject({ browsers: 1, named: [{ client: browserId(3) }] });
});

test('a status counts of a duplicate batch too, turns of probes once, and a batch without one forgets nothing', async () => {
  const app = await testApp();
  const id = randomUUID();
  await send(app, {}, { ...STATUS, state: 'collecting' }, { id });
  await send(app, {}, STATUS, { id });
  await send(app, {}, null);
  const range = { from: NOW - 3_600_000, to: NOW };
  expect(await countedTurns(app.store, range)).toEqual({ run: 3, skipped: { budget: 1 } });
  const [browser] = await heardBrowsers(app.store, { ...range, to: NOW + 1 });
  expect(browser).toMatchObject({ state: 'degraded', waiting: 3, dropped: 12, lost: 4 });
});

test('viewers of a large fleet are told nothing of few browsers', async () => {
  const app = await testApp();
  for (let i = 0; i < 24; i++) {
    const site = i < 4 ? 'Small' : i < 10 ? 'Middle' : 'Large';
    await send(app, { client: browserId(i), site }, { ...STATUS, state: i < 4 ? 'degraded' : 'collecting', turns: [] });
  }
  const seen = await fleet(app, 'read');
  expect(seen).toMatchObject({
    browsers: 24,
    named: null,
    // Of the total and all others but one, that one could be told.
    states: { collecting: null, degraded: null, unknown: 0 },
    sites: [{ site: 'Large' }],
  });
  expect(await fleet(app)).toMatchObject({
    states: { degraded: 4 },
    sites: [{ site: 'Large' }, { site: 'Middle' }, { site: 'Small' }],
  });
  for (const site of ['Small', 'Middle']) {
    expect(await fleet(app, 'read', `&site=${site}`)).toMatchObject({ browsers: null, sites: [] });
    // All but one tells that one.
    expect(await fleet(app, 'read', `&not.site=${site}`)).toMatchObject({ browsers: null });
  }
  for (const filter of ['site=Large', 'not.site=Small&not.site=Middle']) {
    expect(await fleet(app, 'read', `&${filter}`)).toMatchObject({ browsers: 14, sites: [{ site: 'Large' }] });
  }
  const named = (await fleet(app, 'admin', '&not.site=Large')).named ?? [];
  expect(new Set(named.map(({ site }: { site: string }) => site))).toEqual(new Set(['Small', 'Middle']));
  expect(named).toHaveLength(10);
});

test('what got lost at one site is not told where the rest of the fleet would be a few browsers', async () => {
  const app = await testApp();
  const collecting = { ...STATUS, state: 'collecting', turns: [], rejected: {}, lost: {} } as const;
  for (let i = 0; i < 24; i++) {
    // Six browsers tell of `full`: five in Berlin, one elsewhere. All tell of `invalid_batch`.
    const dropped = { invalid_batch: 1, ...(i < 5 || i === 23 ? { full: i === 23 ? 1000 : 10 } : {}) };
    await send(app, { client: browserId(i), site: i < 12 ? 'Berlin' : 'Lyon' }, { ...collecting, dropped });
  }
  const lossesOf = async (as: 'read' | 'admin', more = '') => {
    const { dropped } = await fleet(app, as, more);
    return dropped.map(({ reason, count }: { reason: string; count: number }) => [reason, count]);
  };
  expect(await lossesOf('read')).toEqual([
    ['full', 1050],
    ['invalid_batch', 24],
  ]);
  expect(await lossesOf('read', '&site=Berlin')).toEqual([['invalid_batch', 12]]);
  expect(await lossesOf('admin', '&site=Berlin')).toEqual([
    ['full', 50],
    ['invalid_batch', 12],
  ]);
});

test('the states of one site are not told where they leave a few browsers of all', async () => {
  const app = await testApp();
  for (let i = 0; i < 24; i++) {
    // Seven browsers are degraded: six in Berlin, one in Lyon.
    const state = i < 6 || i === 23 ? 'degraded' : 'collecting';
    await send(app, { client: browserId(i), site: i < 12 ? 'Berlin' : 'Lyon' }, { ...STATUS, state, turns: [] });
  }
  const shown = await fleet(app, 'read');
  expect(shown.states).toEqual({ collecting: 17, degraded: 7, unknown: 0 });
  expect(shown.sites).toMatchObject([{ degraded: null }, { degraded: null }]);
  expect(await fleet(app, 'read', '&site=Berlin')).toMatchObject({
    browsers: 12,
    states: { collecting: null, degraded: null, unknown: 0 },
    sites: [{ degraded: null }],
  });
  expect((await fleet(app, 'admin', '&site=Berlin')).states).toEqual({ collecting: 6, degraded: 6, unknown: 0 });
});

test('turns of probes at one site are not counted where the rest of the fleet would be a few browsers', async () => {
  const app = await testApp();
  const turn = { probe: 'login', target: 'erp', at: NOW - 50_000, skipped: null, scenarios: [], steps: [null] };
  for (let i = 0; i < 24; i++) {
    const skipped = i < 5 || i === 23 ? [{ ...turn, at: turn.at + 1, skipped: 'budget' as const, steps: [] }] : [];
    const ran = i < 12 || i > 20 ? [turn] : [];
    const status: BrowserStatus = { ...STATUS, turns: [...ran, ...skipped] };
    await send(app, { client: browserId(i), site: i < 12 ? 'Berlin' : 'Lyon' }, status);
  }
  const turnsOf = async (as: 'read' | 'admin', more = '') =>
    (await app.send({ url: `/api/v1/probes?${RANGE}${more}`, as })).json().turns;
  expect(await turnsOf('read')).toEqual({ run: 15, skipped: { budget: 6 } });
  expect(await turnsOf('read', '&site=Berlin')).toEqual({ run: null, skipped: {} });
  expect(await turnsOf('admin', '&site=Berlin')).toEqual({ run: 12, skipped: { budget: 5 } });
});

test('an erased browser is forgotten, and what is too old with the samples', async () => {
  const folder = await temporaryFolder();
  const app = await testApp({ store: openSqliteStore({ folder, as: 'server' }) });
  await send(app, { client: browserId(1) }, STATUS);
  await send(app, { client: browserId(2) }, STATUS);
  await app.store.maintenance.erase({ client: browserId(1) });
  const range = { from: 0, to: NOW + 1 };
  expect((await heardBrowsers(app.store, range)).map(({ client }) => client)).toEqual([browserId(2)]);
  expect(await countedTurns(app.store, range)).toEqual({ run: 3, skipped: { budget: 1 } });
  await app.store.maintenance.prune(NOW + 9 * 86_400_000, { sampleDays: 8, hourDays: 8, dayDays: 8, monthDays: 8 });
  expect(await heardBrowsers(app.store, range)).toEqual([]);
  const database = new Database(join(folder, 'lastbyte.sqlite'), { readonly: true });
  onTestFinished(() => void database.close());
  expect(database.prepare('SELECT count(*) FROM probe_turn').pluck().get()).toBe(0);
});
