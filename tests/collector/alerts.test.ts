import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testMessage } from '../../collector/monitoring/alerts/alert-text.ts';
import { createAlerts } from '../../collector/monitoring/alerts/alerts.ts';
import { attempt } from '../../collector/monitoring/alerts/deliver.ts';
import { createOutgoing } from '../../collector/outgoing/outgoing.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { KeyValueState } from '../../collector/storage/store.ts';
import type { AlertRule, AlertSettings } from '../../shared/settings/alert-settings.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { run } from './command.ts';
import { browserId, fill, fillRuns } from './fill-store.ts';
import { loopbackAllowed } from './loopback-allowed.ts';
import { smtpServer } from './smtp-server.ts';
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

async function alertsOver(
  folder: string,
  alerts: AlertSettings,
  clock: { now: number },
  more: Partial<Pick<Settings, 'reports' | 'probes' | 'targets'>> = {},
) {
  const store = await openStore({ folder, as: 'command' });
  const newest = await store.settings.read();
  await store.settings.write({ version: 1, targets: [], alerts, ...more }, newest?.revision ?? null, NOW);
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
    subject: 'slow: the median time to last byte was 200 ms over the last 15 min, the limit is 100 ms (10 requests)',
    text: 'slow: the median time to last byte was 200 ms over the last 15 min, the limit is 100 ms (10 requests). Users waited longest for erp.example.com.',
    value: 200,
    threshold: 100,
    samples: 10,
    host: 'erp.example.com',
    at: new Date(NOW).toISOString(),
    link: null,
    linkMissing: 'no_dashboard_url',
  });

  clock.now += 3_600_000;
  await fill(second.store, slow(88, clock.now - 1000));
  await second.alerts.evaluate();
  await second.alerts.deliver();
  expect(hook.got[3]?.body).toMatchObject({ status: 'recovered', value: 88 });
  await second.store.close();
});

/** A letter's parts as they were sent, decoded. */
function decoded(letter: string): string {
  return letter
    .replace(/^\.\./gm, '.')
    .replace(/=\r\n/g, '')
    .replace(/((?:=[0-9A-F]{2})+)/g, (hex) => Buffer.from(hex.replaceAll('=', ''), 'hex').toString('utf8'));
}

test('mail goes to the recipients of the rule with a link to what it saw, and is tried again', async () => {
  const server = await smtpServer();
  server.mode = 'refuse';
  const folder = await temporaryFolder();
  const mail = { host: '127.0.0.1', port: server.port, tls: 'none', from: 'lastbyte@example.com' } as const;
  const rule = { ...RULE, host: 'erp.example.com', mailTo: ['it@example.com', 'b@example.com'] };
  const settings = { webhooks: [], rules: [rule], dashboardUrl: 'https://lastbyte.example.com/board/' };
  const clock = { now: NOW };
  const first = await alertsOver(folder, settings, clock, { reports: { mail, schedule: [] } });
  await fill(first.store, slow(200, NOW - 60_000));
  await first.alerts.evaluate();
  await first.alerts.deliver();
  const [waiting] = (await first.alerts.status('admin')).deliveries;
  expect(waiting).toMatchObject({
    webhook: 'mail',
    channel: 'mail',
    attempts: 1,
    error: expect.stringContaining('451'),
  });
  expect(waiting?.error).not.toContain('hunter2');
  await first.alerts.stop();
  await first.store.close();

  server.mode = 'take';
  clock.now += 10_000;
  const second = await alertsOver(folder, settings, clock, { reports: { mail, schedule: [] } });
  await second.alerts.deliver();
  expect((await second.alerts.status('admin')).deliveries).toEqual([]);
  expect(server.messages).toHaveLength(1);
  const letter = decoded(server.messages[0] ?? '');
  expect(letter).toMatch(/^Subject: slow: the median time to last byte for erp\.example\.com was 200/m);
  expect(letter).toMatch(/^To: it@example\.com, b@example\.com\r$/m);
  expect(letter).toContain(`Message-ID: <${waiting?.id}@example.com>`);
  const link =
    'https://lastbyte.example.com/board/?from=2026-03-01T11%3A45%3A00.000Z&to=2026-03-01T12%3A00%3A00.000Z&page=erp.example.com&source=page';
  expect(letter).toContain(`Open it in the dashboard: ${link}`);
  expect(letter).toContain(`<a href="${link.replaceAll('&', '&amp;')}">Open it in the dashboard</a>`);
  expect(letter).toContain('the limit is 100 ms (10 requests).');
  await second.store.close();
});

test('mail and webhooks speak the language of the settings, and say why there is no link', async () => {
  const server = await smtpServer();
  const hook = await webhook(200);
  const mail = { host: '127.0.0.1', port: server.port, tls: 'none', from: 'lastbyte@example.com' } as const;
  const rules = [{ ...RULE, site: '<b>Köln', mailTo: ['it@example.com'] }];
  const settings: AlertSettings = { webhooks: [{ id: 'chat', url: hook.url }], rules, lang: 'de' };
  const { store, alerts } = await alertsOver(
    await temporaryFolder(),
    settings,
    { now: NOW },
    { reports: { mail, schedule: [] } },
  );
  await fill(store, slow(200.25, NOW - 60_000), { site: '<b>Köln' });
  await alerts.evaluate();
  await alerts.deliver();
  const text =
    'slow: In den letzten 15 min lag der Median der Zeit bis zum letzten Byte für <b>Köln bei 200 ms, die Grenze liegt bei 100 ms (10 Anfragen). Am längsten warteten die Nutzer auf erp.example.com.';
  expect(hook.got[0]?.body).toMatchObject({ text, link: null, linkMissing: 'no_dashboard_url' });
  const letter = decoded(server.messages[0] ?? '');
  expect(letter).toMatch(/^Subject: =\?UTF-8\?Q\?slow:_In_den_letzten_15_min_lag_der_Me/m);
  expect(letter).toContain('alerts.dashboardUrl');
  expect(letter).toContain(text);
  expect(letter).toContain('für &lt;b&gt;Köln bei');
  await store.close();
});

test('mails whose rule or recipients are gone are dropped, and counted', async () => {
  const folder = await temporaryFolder();
  const mail = { host: '127.0.0.1', port: 1, tls: 'none', from: 'lastbyte@example.com' } as const;
  const clock = { now: NOW };
  const settings = { webhooks: [], rules: [{ ...RULE, mailTo: ['it@example.com'] }] };
  const first = await alertsOver(folder, settings, clock, { reports: { mail, schedule: [] } });
  await fill(first.store, slow(200, NOW - 60_000));
  await first.alerts.evaluate();
  expect((await first.alerts.status('admin')).deliveries).toHaveLength(1);
  await first.store.close();
  const second = await alertsOver(folder, { webhooks: [], rules: [RULE] }, clock, { reports: { mail, schedule: [] } });
  await second.alerts.deliver();
  expect((await second.alerts.status('admin')).deliveries).toEqual([]);
  const counted = second.alerts.families().find(({ name }) => name === 'lastbyte_webhook_deliveries_total');
  expect(JSON.stringify(counted)).toContain('{"labels":{"outcome":"dropped"},"value":1}');
  await second.store.close();
});

test('an admin sends a test to the recipients of a rule', async () => {
  const server = await smtpServer();
  const { send, store } = await testApp({ outgoing: loopbackAllowed() });
  const mail = { host: '127.0.0.1', port: server.port, tls: 'none', from: 'lastbyte@example.com' } as const;
  const rules = [
    { ...RULE, mailTo: ['it@example.com'] },
    { ...RULE, id: 'silent' },
  ];
  const dashboardUrl = 'https://lastbyte.example.com/';
  const alerts = { webhooks: [], rules, dashboardUrl };
  await store.settings.write({ version: 1, targets: [], alerts, reports: { mail, schedule: [] } }, null, NOW);
  const headers = { 'content-type': 'application/json' };
  const ask = (body: object) =>
    send({ method: 'POST', url: '/api/v1/alerts/test', as: 'admin', headers, body: JSON.stringify(body) });
  expect((await ask({ rule: 'slow' })).json()).toEqual({ webhook: 'mail', delivered: true, status: null, error: null });
  expect(decoded(server.messages[0] ?? '')).toContain(`Open it in the dashboard: ${dashboardUrl}`);
  expect((await ask({ rule: 'silent' })).json().error.code).toBe('not_found');
  expect((await ask({})).statusCode).toBe(400);
  expect((await ask({ rule: 'slow', webhook: 'x' })).statusCode).toBe(400);
});

test('the command line sends the same test', async () => {
  const server = await smtpServer();
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'server' });
  const mail = { host: '127.0.0.1', port: server.port, tls: 'none', from: 'lastbyte@example.com' } as const;
  const rules = [{ ...RULE, mailTo: ['it@example.com'] }];
  await store.settings.write(
    { version: 1, targets: [], alerts: { webhooks: [], rules }, reports: { mail, schedule: [] } },
    null,
    NOW,
  );
  await store.close();
  const test = (...args: string[]) =>
    run(['alert', 'test', ...args, '--data', folder, '--outgoing-allow', '127.0.0.1']);
  expect(await test('--rule', 'slow', '--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"mail"') });
  expect(decoded(server.messages[0] ?? '')).toContain('it@example.com');
  expect((await test('--rule', 'other')).stderr).toContain('The settings have: slow.');
  expect(await test()).toMatchObject({ code: 2, stderr: expect.stringContaining('one webhook or to one rule') });
  server.mode = 'refuse';
  expect(await test('--rule', 'slow')).toMatchObject({ code: 1, stderr: expect.stringContaining('mail server') });
});

test('probes and recordings are no users; availability is the probes’ own', async () => {
  const clock = { now: NOW };
  const rules = [RULE, { id: 'down', availabilityBelow: 0.99, breaches: 1, evaluations: 1, minSamples: 5 }];
  const { store, alerts } = await alertsOver(await temporaryFolder(), { webhooks: [], rules }, clock);
  const probes = slow(900, NOW - 1000).map((sample) => ({ ...sample, source: 'probe-https-new' }));
  await fill(store, [
    ...probes.slice(0, 9),
    { ...PLAIN_SAMPLE, source: 'probe-https-new', connection: 'failed', excluded: 'failed' },
    // A cache says nothing about the server.
    { ...PLAIN_SAMPLE, source: 'probe-https-new', connection: 'cache' },
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

test('a collector that leads again begins with what another one left', async () => {
  const hook = await webhook(200);
  const clock = { now: NOW };
  const settings = { webhooks: [{ id: 'chat', url: hook.url }], rules: [RULE] };
  const { store, alerts: other } = await alertsOver(await temporaryFolder(), settings, clock);
  onTestFinished(() => store.close());
  let state = store.keyValues;
  const alerts = createAlerts({
    store: { ...store, leadership: { lead: (work) => work(state) } },
    clock: () => clock.now,
    version: '1',
    outgoing: loopbackAllowed(),
    failed: (error) => expect(error).toBeNull(),
  });
  await fill(store, slow(200, NOW - 60_000));
  await alerts.tick();
  clock.now += 20 * 60_000;
  await fill(store, slow(88, clock.now - 60_000));
  await other.tick();
  state = { ...store.keyValues };
  clock.now += 60_000;
  await alerts.tick();
  expect(hook.got.map(({ body }) => body.status)).toEqual(['firing', 'recovered']);
});

/** Alerts at a leader whose writes fail while `refuses` is set. */
async function refusedWrites(settings: AlertSettings) {
  const { store } = await alertsOver(await temporaryFolder(), settings, { now: NOW });
  onTestFinished(() => store.close());
  await fill(store, slow(200, NOW - 60_000));
  const writes = { refuses: false, refused: 0 };
  const state: KeyValueState = {
    ...store.keyValues,
    async write(...entry) {
      if (!writes.refuses) return store.keyValues.write(...entry);
      writes.refused++;
      throw new Error('the disk is full');
    },
  };
  const alerts = createAlerts({
    store: { ...store, leadership: { lead: (work) => work(state) } },
    clock: () => NOW,
    version: '1',
    outgoing: loopbackAllowed(),
    failed: (error) => expect(error).toBeNull(),
  });
  return { alerts, writes };
}

test('a message that could not be stored is not sent', async () => {
  const hook = await webhook(200);
  const { alerts, writes } = await refusedWrites({ webhooks: [{ id: 'chat', url: hook.url }], rules: [RULE] });
  writes.refuses = true;
  await expect(alerts.evaluate()).rejects.toThrow('the disk is full');
  writes.refuses = false;
  await alerts.deliver();
  expect(hook.got).toEqual([]);
  await alerts.evaluate();
  await alerts.deliver();
  expect(hook.got).toHaveLength(1);
});

test('what was sent is not sent again when that cannot be stored, neither to others nor meanwhile', async () => {
  const hook = await webhook(200);
  const unanswered: ServerResponse[] = [];
  const other = createServer((_, response) => void unanswered.push(response));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void other.close());
  const url = `http://127.0.0.1:${(other.address() as { port: number }).port}/`;
  const webhooks = [
    { id: 'chat', url: hook.url },
    { id: 'other', url },
  ];
  const { alerts, writes } = await refusedWrites({ webhooks, rules: [RULE] });
  await alerts.evaluate();
  writes.refuses = true;
  let ended = false;
  const delivering = alerts
    .deliver()
    .then(() => null, String)
    .finally(() => {
      ended = true;
    });
  await vi.waitFor(() => expect([unanswered.length, writes.refused]).toEqual([1, 1]), { timeout: 10_000 });
  await setImmediate();
  expect(ended).toBe(false);
  writes.refuses = false;
  unanswered[0]?.end();
  expect(await delivering).toBe('Error: the disk is full');
  await alerts.deliver();
  expect([hook.got.length, unanswered.length]).toEqual([1, 1]);
  expect((await alerts.status('admin')).deliveries).toEqual([]);
});

const MINUTE = 60_000;
const runAt = (minutesAgo: number, reason: 'text_missing' | null = null) => ({
  at: NOW - minutesAgo * MINUTE,
  steps: [null, reason],
});
/** At Porto `order` was up once and is down since, at Lyon it is up; `search` failed once at Lyon. */
async function withJourneys(rule: Partial<AlertRule>) {
  const rules = [{ id: 'down', journey: '*', availabilityBelow: 0.99, breaches: 1, evaluations: 1, ...rule }];
  const clock = { now: NOW };
  const hook = await webhook(200);
  const webhooks = [{ id: 'chat', url: hook.url }];
  const steps = [{ url: 'https://erp.example.com/' }, { url: 'https://erp.example.com/orders' }];
  const schedule = ['order', 'search'].map((id) => ({ id, target: 'erp', steps, everyMinutes: 1 }));
  const targets = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];
  const { store, alerts } = await alertsOver(await temporaryFolder(), { webhooks, rules }, clock, {
    ...{ targets, probes: { enabled: true, requestsPerHour: 240, schedule } },
  });
  onTestFinished(() => store.close());
  await fillRuns(store, [runAt(90), runAt(60, 'text_missing'), runAt(5, 'text_missing')], {
    ...{ client: browserId(1), site: 'Porto' },
  });
  await fillRuns(store, [runAt(10), runAt(9), runAt(8)], { client: browserId(2), site: 'Lyon' });
  const search = [runAt(12, 'text_missing'), runAt(7), runAt(6), runAt(2)];
  await fillRuns(store, search, { client: browserId(2), site: 'Lyon', journey: 'search' });
  // Samples of probes are not counted.
  await fill(store, [{ ...PLAIN_SAMPLE, at: NOW - MINUTE, source: 'probe-script' }]);
  return { alerts, hook, clock, status: async () => (await alerts.status('admin')).rules[0] };
}

test.each<[Partial<AlertRule>, { value: number | null; n: number; on: boolean }]>([
  // The lowest of 3 of 4 and 3 of 4.
  [{}, { value: 0.75, n: 4, on: true }],
  [{ eachSite: true }, { value: 0, n: 1, on: true }],
  [{ site: 'Porto' }, { value: 0, n: 1, on: true }],
  [
    { journey: 'order', site: 'Lyon' },
    { value: 1, n: 3, on: false },
  ],
  [{ journey: 'search' }, { value: 0.75, n: 4, on: true }],
  [
    { journey: 'order', windowMinutes: 120 },
    { value: 4 / 6, n: 6, on: true },
  ],
  // An empty window is no result.
  [
    { journey: 'order', windowMinutes: 1 },
    { value: null, n: 0, on: false },
  ],
  [
    { eachSite: true, minSamples: 4 },
    { value: 0.75, n: 4, on: true },
  ],
])('a rule about journeys counts runs, of the journey and site where fewest were up: %j', async (rule, read) => {
  const { alerts, status } = await withJourneys(rule);
  await alerts.evaluate();
  expect(await status()).toMatchObject(read);
});

test('its message says which journey, where, since when, at which step and why; without runs the alert stays', async () => {
  const { alerts, hook, clock, status } = await withJourneys({});
  await alerts.evaluate();
  await alerts.deliver();
  expect(hook.got[0]?.body).toMatchObject({
    text: 'down: the availability for the worst journey was 75 % over the last 15 min, the limit is 99 % (4 probe runs). order (ERP, Porto) has been down since 2026-03-01 11:00 UTC, step 2: expected text missing. search (ERP, Lyon) last failed at 2026-03-01 11:48 UTC, step 2: expected text missing.',
    journeys: [
      {
        journey: 'order',
        site: 'Porto',
        broken: { step: 2, reason: 'text_missing', since: '2026-03-01T11:00:00.000Z' },
      },
      { journey: 'search', site: 'Lyon', broken: null, failed: { step: 2, reason: 'text_missing' } },
    ],
  });
  clock.now += 60 * MINUTE;
  await alerts.evaluate();
  expect(await status()).toMatchObject({ on: true, value: null, n: 0 });
});
