import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BatchOrigin } from '../../shared/sample/sample.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { STATUS } from '../unit/wire/status-fixture.ts';
import { browserId } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const { turns: _turns, ...ABOUT } = STATUS;

async function send(
  app: TestApp,
  origin: Partial<BatchOrigin>,
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
  const turns = await app.store.fleet.probeTurns(range, 10);
  expect(turns).toEqual(
    [...STATUS.turns].reverse().map((turn) => ({ ...turn, client: ORIGIN.client, site: ORIGIN.site })),
  );
  expect(await app.store.fleet.probeTurns(range, 1)).toHaveLength(1);
  const [browser] = await app.store.fleet.browsers({ ...range, to: NOW + 1 }, 10);
  expect(browser?.status).toEqual(ABOUT);
});

test('viewers of a large fleet are told nothing of few browsers', async () => {
  const app = await testApp();
  for (let i = 0; i < 24; i++) {
    const site = i < 4 ? 'Small' : 'Large';
    await send(app, { client: browserId(i), site }, { ...STATUS, state: i < 4 ? 'degraded' : 'collecting', turns: [] });
  }
  const seen = await fleet(app, 'read');
  expect(seen).toMatchObject({
    browsers: 24,
    named: null,
    states: { collecting: 20, degraded: null, unknown: 0 },
    sites: [{ site: 'Large' }],
  });
  expect(await fleet(app)).toMatchObject({ states: { degraded: 4 }, sites: [{ site: 'Large' }, { site: 'Small' }] });
});

test('an erased browser is forgotten, and what is too old with the samples', async () => {
  const app = await testApp();
  await send(app, { client: browserId(1) }, STATUS);
  await send(app, { client: browserId(2) }, STATUS);
  await app.store.upkeep.erase({ client: browserId(1) });
  const range = { from: 0, to: NOW + 1 };
  expect((await app.store.fleet.browsers(range, 10)).map(({ client }) => client)).toEqual([browserId(2)]);
  expect(await app.store.fleet.probeTurns(range, 10)).toHaveLength(3);
  await app.store.upkeep.prune(NOW + 9 * 86_400_000, { sampleDays: 8, hourDays: 8, dayDays: 8, monthDays: 8 });
  expect(await app.store.fleet.browsers(range, 10)).toEqual([]);
  expect(await app.store.fleet.probeTurns(range, 10)).toEqual([]);
});
