import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { testMessage } from '../../collector/monitoring/alerts/alert-text.ts';
import { createAlerts } from '../../collector/monitoring/alerts/alerts.ts';
import { attempt } from '../../collector/monitoring/alerts/deliver.ts';
import { createOutgoing } from '../../collector/outgoing/outgoing.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { AlertSettings } from '../../shared/settings/alert-settings.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { loopbackAllowed } from './loopback-allowed.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

interface Got {
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
}

/** A webhook that answers with the statuses given, the last of them from then on. */
async function webhook(...statuses: number[]) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    got.push({ body: JSON.parse(await text(request)), headers: request.headers });
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    response.writeHead(status ?? 200, status === 302 ? { location: '/elsewhere' } : {}).end('secret answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { got, url: `http://127.0.0.1:${port}/hook` };
}

const RULE = { id: 'slow', aboveMs: 100, breaches: 1, evaluations: 1, minSamples: 5, hysteresis: 0.1 };

async function alertsOver(folder: string, alerts: AlertSettings, clock: { now: number }) {
  const store = await openStore({ folder, as: 'command' });
  const newest = await store.settings.read();
  await store.settings.write({ version: 1, targets: [], alerts }, newest?.revision ?? null, NOW);
  const deps = {
    store,
    clock: () => clock.now,
    version: '1',
    outgoing: loopbackAllowed(),
    failed: (error: unknown) => expect(error).toBeNull(),
  };
  return { store, alerts: createAlerts(deps) };
}

const slow = (ms: number, at: number) =>
  Array.from({ length: 10 }, () => ({
    ...PLAIN_SAMPLE,
    at,
    times: { ...PLAIN_SAMPLE.times, wait: ms * 1000 - 85_900, ttfb: ms * 1000 - 2500, ttlb: ms * 1000 },
  }));

test('tells when a threshold is crossed and when it is over, also across a restart and a webhook that is down', async () => {
  const hook = await webhook(503, 503, 200);
  const folder = await temporaryFolder();
  const settings = { webhooks: [{ id: 'chat', url: hook.url }], rules: [RULE] };
  const clock = { now: NOW };
  const first = await alertsOver(folder, settings, clock);
  await fill(first.store, slow(200, NOW - 60_000));
  await first.alerts.evaluate();
  await first.alerts.deliver();
  await first.alerts.deliver();
  expect(hook.got).toHaveLength(1);
  expect((await first.alerts.status('admin')).deliveries).toMatchObject([
    { attempts: 1, error: 'answered 503: not accepted' },
  ]);
  await first.alerts.stop();
  await first.store.close();

  clock.now += 10_000;
  const second = await alertsOver(folder, settings, clock);
  await second.alerts.evaluate();
  await second.alerts.deliver();
  clock.now += 15_000;
  await second.alerts.deliver();
  expect(hook.got).toHaveLength(2);
  clock.now += 5_000;
  await second.alerts.deliver();
  expect(hook.got).toHaveLength(3);
  expect((await second.alerts.status('admin')).deliveries).toEqual([]);
  const ids = new Set(hook.got.map(({ headers }) => headers['x-lastbyte-delivery']));
  expect(ids.size).toBe(1);
  expect(hook.got[2]?.body).toEqual({
    status: 'firing',
    rule: 'slow',
    text: 'Lastbyte slow: median ttlb of everything is 200 ms (threshold 100 ms; last 15 min, 10 samples).',
    value: 200,
    threshold: 100,
    samples: 10,
    at: new Date(NOW).toISOString(),
  });

  clock.now += 3_600_000;
  await fill(second.store, slow(88, clock.now - 1000));
  await second.alerts.evaluate();
  await second.alerts.deliver();
  expect(hook.got[3]?.body).toMatchObject({ status: 'recovered', value: 88 });
  await second.store.close();
});

test('probes and recordings are no users; availability is the probes’ own', async () => {
  const clock = { now: NOW };
  const rules = [RULE, { id: 'down', availabilityBelow: 0.99, breaches: 1, evaluations: 1, minSamples: 5 }];
  const { store, alerts } = await alertsOver(await temporaryFolder(), { webhooks: [], rules }, clock);
  const probes = slow(900, NOW - 1000).map((sample) => ({ ...sample, source: 'probe-https-new' }));
  await fill(store, [
    ...probes.slice(0, 9),
    { ...PLAIN_SAMPLE, source: 'probe-https-new', connection: 'failed', excluded: 'failed' },
  ]);
  await alerts.evaluate();
  expect((await alerts.status('admin')).rules).toMatchObject([
    { id: 'slow', on: false, value: null, n: 0 },
    { id: 'down', on: true, value: 0.9, n: 10 },
  ]);
  await store.close();
});

test('secrets come from where they lie, and are never told', async () => {
  const hook = await webhook(200);
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'token'), 'top-secret\n');
  process.env.LASTBYTE_SECRET_TEST_HOOK = hook.url;
  onTestFinished(() => {
    delete process.env.LASTBYTE_SECRET_TEST_HOOK;
  });
  const secret = { id: 'a', urlFrom: { env: 'LASTBYTE_SECRET_TEST_HOOK' }, bearerFrom: { file: 'token' } };
  const how = { outgoing: loopbackAllowed(folder), id: 'x', version: '1' };
  expect(await attempt(secret, testMessage(NOW), how)).toMatchObject({
    delivered: true,
    status: 200,
  });
  expect(hook.got[0]?.headers.authorization).toBe('Bearer top-secret');
  const missing = { id: 'a', urlFrom: { env: 'LASTBYTE_SECRET_NOT_SET' } };
  expect((await attempt(missing, testMessage(NOW), how)).error).toMatch(
    /^secret_missing: the environment variable LASTBYTE_SECRET_NOT_SET is not set\. Set it/,
  );
});

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'http://0.0.0.0:1/',
  'http://2852039166/',
  'http://127.0.0.1:1/',
  'http://localhost:1/',
])('%s is refused', async (url) => {
  const how = { outgoing: createOutgoing(), id: 'x', version: '1' };
  const { delivered, error } = await attempt({ id: 'a', url }, testMessage(NOW), how);
  expect({ delivered, error }).toEqual({
    delivered: false,
    error: expect.stringMatching(/^address_refused: sending to .* is not allowed\. .*--outgoing-allow/),
  });
});

test('a redirect is not followed, and what a webhook answers is told to nobody', async () => {
  const hook = await webhook(302);
  const outcome = await attempt({ id: 'a', url: hook.url }, testMessage(NOW), {
    outgoing: loopbackAllowed(),
    id: 'x',
    version: '1',
  });
  expect(outcome).toEqual({ delivered: false, status: 302, error: 'answered 302: a redirect, which is not followed' });
  expect(hook.got).toHaveLength(1);
});

test('admins test a webhook over HTTP, and everybody sees how the rules stand', async () => {
  const hook = await webhook(204);
  const { send } = await testApp({ outgoing: loopbackAllowed() });
  const alerts = { webhooks: [{ id: 'chat', url: hook.url }], rules: [RULE] };
  const headers = { 'content-type': 'application/json' };
  const settings = JSON.stringify({ version: 1, targets: [], alerts });
  expect(
    (await send({ method: 'PUT', url: '/api/v1/settings', as: 'admin', headers, body: settings })).statusCode,
  ).toBe(200);

  const ask = (as: 'read' | 'admin', id: string) =>
    send({ method: 'POST', url: '/api/v1/alerts/test', as, headers, body: JSON.stringify({ webhook: id }) });
  expect((await ask('admin', 'chat')).json()).toEqual({ webhook: 'chat', delivered: true, status: 204, error: null });
  expect(hook.got[0]?.body).toMatchObject({ status: 'test', text: expect.stringContaining('test') });
  expect((await ask('read', 'chat')).statusCode).toBe(403);
  expect((await ask('admin', 'nobody')).statusCode).toBe(404);

  const status = await send({ url: '/api/v1/alerts', as: 'read' });
  expect(status.json()).toEqual({
    rules: [{ rule: 'slow', on: false, since: null, value: null, samples: 0, at: null }],
    deliveries: [],
  });
  expect(status.body).not.toContain(hook.url);
});

test.each([{ file: '/dev/zero' }, { file: '../packages/extension.pem' }, { env: 'PATH' }])(
  'an admin cannot name the secret %j over HTTP, and is told what to do',
  async (reference) => {
    const { send, store } = await testApp({ outgoing: loopbackAllowed() });
    const put = (document: unknown, url: string, method: 'PUT' | 'POST') =>
      send({
        method,
        url,
        as: 'admin',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(document),
      });
    const webhook = { id: 'chat', url: 'https://chat.example.com/', bearerFrom: reference };
    const document = { version: 1 as const, targets: [], alerts: { webhooks: [webhook], rules: [] } };
    const problems = [
      {
        path: `/alerts/webhooks/0/bearerFrom/${Object.keys(reference)[0]}`,
        hint: expect.stringMatching(/Move the file|Rename it/),
      },
    ];
    expect((await put(document, '/api/v1/settings', 'PUT')).json().error).toMatchObject({
      code: 'invalid_settings',
      problems,
    });
    expect((await put(document, '/api/v1/settings/check', 'POST')).json()).toMatchObject({ ok: false, problems });
    // Written by an earlier version: everything else goes on, and the delivery says what is wrong.
    await store.settings.write(document, null, NOW);
    expect((await send({ url: '/api/v1/settings', as: 'read' })).statusCode).toBe(200);
    expect((await put({ webhook: 'chat' }, '/api/v1/alerts/test', 'POST')).json()).toMatchObject({
      delivered: false,
      error: expect.stringMatching(/^secret_refused: /),
    });
  },
);
