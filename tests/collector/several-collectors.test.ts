import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAlerts } from '../../collector/monitoring/alerts/alerts.ts';
import { createReportRenderer } from '../../collector/reports/report-renderer.ts';
import { createReportSchedule } from '../../collector/reports/schedule/report-schedule.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { run, serve, stop } from './command.ts';
import { browserId, fill } from './fill-store.ts';
import { loopbackAllowed } from './loopback-allowed.ts';
import { POSTGRES, type PostgresServer, startPostgres, WHY_NOT } from './postgres-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestApp, testApp } from './test-app.ts';

/** Collectors look for changes every second, ms. */
const SOON = { timeout: 30_000, interval: 50 };

describe.skipIf(POSTGRES === null)(`several collectors${WHY_NOT}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  async function openShared(control: string): Promise<Store> {
    const started = Date.now();
    const clock = () => NOW + Date.now() - started;
    const store = await openStore({ folder: await temporaryFolder(), as: 'server', control, clock });
    onTestFinished(() => store.close());
    return store;
  }

  test('settings, tokens and sign-ins of one are in force at the other; both accept batches while the database is away', async () => {
    const control = await server.createDatabase();
    const a = await testApp({ store: await openShared(control) });
    const b = await testApp({ store: await openShared(control) });
    const sites = [{ site: 'Berlin', networks: ['10.11.0.0/16'] }];
    const settings = { url: '/api/v1/settings', headers: { 'content-type': 'application/json' } };
    const put = { ...settings, method: 'PUT', payload: JSON.stringify({ version: 1, targets: [], sites }) } as const;
    expect((await a.send({ ...put, as: 'admin' })).statusCode).toBe(200);
    const signIn = { method: 'POST', url: '/api/v1/session', payload: { token: a.tokens.read } } as const;
    const cookie = `${(await a.send(signIn)).headers['set-cookie']}`.split(';')[0] ?? '';
    // The key of a, at b.
    await vi.waitFor(async () => expect((await b.store.settings.read())?.revision).toBe(1), SOON);
    expect((await post(b, a.tokens.ingest)).statusCode).toBe(200);
    expect(await sitesAt(b)).toEqual({ Berlin: 1 });
    const signedIn = { url: '/api/v1/session', headers: { cookie } };
    expect((await b.send(signedIn)).json()).toEqual({ role: 'read' });
    expect((await b.send({ url: '/readyz' })).json()).toEqual({
      status: 'ok',
      control: { reachable: true, leads: false },
    });

    onTestFinished(() => server.start());
    expect((await a.send({ url: '/api/v1/collector', as: 'read' })).json()).toEqual({
      shared: { reachable: true, leads: true },
      backlog: null,
    });
    await server.kill();
    await vi.waitFor(() => expect(b.store.controlStatus()?.awaySince).not.toBeNull(), SOON);
    expect((await post(b, a.tokens.ingest)).statusCode).toBe(200);
    expect(await sitesAt(b)).toEqual({ Berlin: 2 });
    const unknown = await post(b, 'lb_ingest_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG');
    expect(unknown.statusCode).toBe(503);
    expect(unknown.json()).toMatchObject({ error: { code: 'control_unavailable' } });
    expect(unknown.headers['retry-after']).toBeDefined();
    expect((await b.send(signedIn)).statusCode).toBe(503);
    expect((await b.send({ ...put, as: 'admin' })).json()).toMatchObject({ error: { code: 'control_unavailable' } });
    b.clock.now += 1000;
    const ready = await b.send({ url: '/readyz' });
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { status: 'ok', control: { reachable: false, leads: false } },
    ]);
    expect((await b.send({ url: '/metrics' })).body).toMatch(/^lastbyte_control_reachable 0$/m);

    await server.start();
    await vi.waitFor(() => expect(b.store.controlStatus()?.awaySince).toBeNull(), SOON);
    expect((await post(b, 'lb_ingest_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG')).statusCode).toBe(401);
    expect((await b.send(signedIn)).json()).toEqual({ role: 'read' });
  });

  test('an alert is sent by one of them, and its end by another one that took over', async () => {
    const control = await server.createDatabase();
    const hook = await webhook();
    const [a, b] = [await openShared(control), await openShared(control)];
    const rule = { id: 'slow', aboveMs: 100, breaches: 1, evaluations: 1, minSamples: 5, hysteresis: 0.1 };
    const alerts = { webhooks: [{ id: 'chat', url: hook.url }], rules: [rule] };
    await a.settings.write({ version: 1, targets: [], alerts }, null, NOW);
    const clock = { now: NOW };
    const alertsAt = (store: Store) =>
      createAlerts({ store, clock: () => clock.now, version: '1', outgoing: loopbackAllowed(), failed: rethrow });
    const [first, second] = [alertsAt(a), alertsAt(b)];
    for (const store of [a, b]) {
      await fill(store, slow(200, NOW - 60_000));
      await vi.waitFor(async () => expect((await store.settings.read())?.revision).toBe(1), SOON);
    }
    for (let round = 0; round < 3; round++) {
      await Promise.all([first.tick(), second.tick()]);
      clock.now += 1000;
    }
    expect(hook.got).toEqual(['firing']);
    // Each shows the state, the leader alone its metrics.
    for (const one of [first, second])
      expect((await one.status('admin')).rules).toMatchObject([{ id: 'slow', on: true }]);
    const active = (one: typeof first) => one.families().find(({ name }) => name === 'lastbyte_alerts_active')?.series;
    expect([active(first), active(second)]).toMatchObject([[{ value: 1 }], [{ value: 0 }]]);

    await a.close();
    await vi.waitFor(() => expect(b.controlStatus()?.leads).toBe(true), SOON);
    clock.now = NOW + 20 * 60_000;
    await fill(b, slow(88, clock.now - 60_000));
    await second.tick();
    await second.tick();
    expect(hook.got).toEqual(['firing', 'recovered']);
  });

  test('a report asked for at one of them is made by the one that leads', async () => {
    const control = await server.createDatabase();
    const [a, b] = [await openShared(control), await openShared(control)];
    const monthly = { id: 'management', cron: '0 6 1 * *', formats: ['text'], folder: 'out' };
    await a.settings.write({ version: 1, targets: [], reports: { schedule: [monthly] } }, null, NOW);
    await vi.waitFor(async () => expect((await b.settings.read())?.revision).toBe(1), SOON);
    const scheduleAt = async (store: Store) =>
      createReportSchedule({
        store,
        clock: () => NOW,
        version: '1',
        renderer: createReportRenderer(null),
        outgoing: loopbackAllowed(),
        folder: await temporaryFolder(),
        failed: rethrow,
      });
    const [leader, other] = [await scheduleAt(a), await scheduleAt(b)];
    await fill(a, slow(88, NOW - 60_000));
    // At the same time as the leader writes.
    await Promise.all([leader.tick(), other.runNow('management'), leader.tick(), other.runNow('management')]);
    await other.tick();
    expect((await other.status()).runs).toHaveLength(2);
    await leader.tick();
    expect((await other.status()).runs).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    await Promise.all([leader.stop(), other.stop()]);
  });

  test('every command works on the shared data; the server follows and goes on without PostgreSQL', async () => {
    const control = await server.createDatabase();
    const folder = await temporaryFolder();
    const { adminToken, ...served } = await serve(folder, ['--control', control]);
    const elsewhere = await temporaryFolder();
    const create = ['token', 'create', '--role', 'read', '--data', elsewhere, '--control', control];
    const made = await run([...create, '--create', '--json']);
    expect(made).toMatchObject({ code: 0 });
    const { token } = JSON.parse(made.stdout) as { token: string };
    const asked = (key: string | null) =>
      fetch(`${served.url}/api/v1/settings`, { headers: { authorization: `Bearer ${key}` } });
    expect((await asked(token)).status).toBe(200);
    await server.kill();
    try {
      const failed = await run(['token', 'list', '--data', elsewhere, '--control', control]);
      expect(failed).toMatchObject({ code: 1, stdout: '' });
      expect(failed.stderr).toMatch(
        /^lastbyte: the control database is unreachable \(ECONNREFUSED\)\. Check that PostgreSQL runs/,
      );
      // What needs nothing of it works.
      expect(await run(['check', '--data', folder, '--control', control])).toMatchObject({ code: 0 });
      expect((await asked(token)).status).toBe(200);
      expect((await asked(adminToken)).status).toBe(200);
    } finally {
      await server.start();
    }
    expect(await stop({ ...served, adminToken })).toBe(0);
  });
});

async function post(app: TestApp, key: string) {
  const origin = { ...ORIGIN, client: browserId(1), site: '' };
  return app.send({
    method: 'POST',
    url: '/api/v1/batches',
    payload: JSON.stringify(encodeBatch(origin, randomUUID(), NOW, [PLAIN_SAMPLE])),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    remoteAddress: '10.11.77.5',
  });
}

async function sitesAt({ store }: TestApp): Promise<Record<string, number>> {
  const range = { from: NOW - 60_000, to: NOW + 60_000 };
  const { cells } = await store.samples.aggregate({ range, filters: {}, by: ['site'] });
  return Object.fromEntries(cells.map(({ key, samples }) => [key.site, samples]));
}

/** Collects the status of each message. */
async function webhook() {
  const got: unknown[] = [];
  const hook = createServer(async (request, response) => {
    got.push((JSON.parse(await text(request)) as { status: unknown }).status);
    response.end();
  });
  await once(hook.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    hook.close();
  });
  return { got, url: `http://127.0.0.1:${(hook.address() as { port: number }).port}/hook` };
}

const slow = (ms: number, at: number) =>
  Array.from({ length: 10 }, () => ({
    ...PLAIN_SAMPLE,
    at,
    times: { ...PLAIN_SAMPLE.times, wait: ms * 1000 - 85_900, ttfb: ms * 1000 - 2500, ttlb: ms * 1000 },
  }));

function rethrow(error: unknown): never {
  throw error;
}
