import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { AppDeps } from '../../collector/http/api/app-deps.ts';
import { boundRequests, createBoundedServer, MAX_PIPELINED } from '../../collector/http/connections/bounded-server.ts';
import { type RunningServer, startServer } from '../../collector/http/server.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { IS_SHORT } from '../rounds.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestApp, testApp } from './test-app.ts';

const URL_PATH = '/api/v1/batches';
const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
/** Eight kilobytes of nothing but brackets. */
const BOMB = gzipSync(Buffer.alloc(8 * 2 ** 20, '['));

/** More than the system holds for a connection on its own. */
const BEYOND_BUFFERS = 32 * 2 ** 20;

// Windows of limits don't end because the machine is busy.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const batch = () => JSON.stringify(encodeBatch(ORIGIN, randomUUID(), NOW, [PLAIN_SAMPLE]));
const post = (app: TestApp, payload: string | Buffer, from: string, headers: Record<string, string> = GZIP) =>
  app.send({ method: 'POST', url: URL_PATH, as: 'ingest', payload, headers, remoteAddress: from });

async function flood(app: TestApp, from: string, headers: (i: number) => Record<string, string> = () => GZIP) {
  for (let sent = 0; sent < 200; sent++) {
    const answer = await post(app, BOMB, from, headers(sent));
    if (answer.statusCode !== 413) return answer;
  }
  throw new Error('200 bombs were inflated');
}

test('a bomb ends after its first megabyte; whoever sends many is told to wait, and nobody else is', async () => {
  const app = await testApp();
  const refused = await flood(app, '192.0.2.1');
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await post(app, gzipSync(batch()), '192.0.2.1')).statusCode).toBe(429);
  expect((await post(app, gzipSync(batch()), '192.0.2.2')).json()).toMatchObject({ accepted: 1 });
  vi.setSystemTime(Date.now() + Number(refused.headers['retry-after']) * 1000);
  expect((await post(app, gzipSync(batch()), '192.0.2.1')).json()).toMatchObject({ accepted: 1 });
  const metrics = (await app.send({ url: '/metrics', as: 'read' })).body;
  expect(metrics).toMatch(/lastbyte_key_refused_total\{key="[0-9a-f-]{36}",reason="rate_limited"\} 2\n/);
  expect(metrics).toMatch(/lastbyte_intake_held_bytes 0\n/);
  // Whoever floods the collector does not flood its log.
  expect(app.log).toEqual([]);
});

test('behind a proxy the address is the one that the proxy saw, whatever the client claims', async () => {
  const app = await testApp({ trustProxy: 1, loopbackOnly: false });
  const via = (claimed: string, seen: string) => ({ ...GZIP, 'x-forwarded-for': `${claimed}, ${seen}` });
  const refused = await flood(app, '10.0.0.1', (i) => via(`198.51.100.${i}`, '192.0.2.1'));
  expect(refused.statusCode).toBe(429);
  expect((await post(app, gzipSync(batch()), '10.0.0.1', via('192.0.2.1', '192.0.2.2'))).statusCode).toBe(200);
});

test.each([
  ['so many hops', 2],
  ['their addresses', ['10.0.0.0/8']],
] as const)(
  'behind two proxies, told by %s, the address is the one that the outer proxy saw',
  async (_how, proxies) => {
    const app = await testApp({
      trustProxy: typeof proxies === 'number' ? proxies : [...proxies],
      loopbackOnly: false,
    });
    const via = (claimed: string, seen: string) => ({ ...GZIP, 'x-forwarded-for': `${claimed}, ${seen}, 10.0.0.2` });
    const refused = await flood(app, '10.0.0.1', (i) => via(`198.51.100.${i}`, '192.0.2.1'));
    expect(refused.statusCode).toBe(429);
    expect((await post(app, gzipSync(batch()), '10.0.0.1', via('192.0.2.1', '192.0.2.2'))).statusCode).toBe(200);
  },
);

test('JSON that is written otherwise is stored all the same, and judged the same', async () => {
  const app = await testApp();
  const json = { 'content-type': 'application/json' };
  const body = JSON.parse(batch());
  body.columns.status[0] = -1;
  const answer = await post(app, JSON.stringify(body, null, 2), '192.0.2.1', json);
  expect(answer.json()).toMatchObject({ accepted: 0, rejected: [{ row: 0, code: 'bad_status' }] });
  expect((await post(app, `${batch()}\n`, '192.0.2.1', json)).json()).toMatchObject({ accepted: 1 });
  const deep = batch().replace('"n":', `"mood":${'['.repeat(5000)}${']'.repeat(5000)},"n":`);
  expect((await post(app, deep, '192.0.2.1', json)).json()).toMatchObject({ error: { code: 'batch_too_large' } });
});

test.skipIf(IS_SHORT)('unknown tokens are limited, cost a connection each then, and keep no browser out', async () => {
  const app = await testApp();
  const guess = (from: string) =>
    app.send({ url: URL_PATH, method: 'POST', headers: { authorization: 'Bearer guess' }, remoteAddress: from });
  let guesses = 0;
  let answer = await guess('192.0.2.1');
  for (; answer.statusCode === 401 && guesses < 20_000; guesses++) answer = await guess('192.0.2.1');
  expect([answer.statusCode, answer.json().error.code]).toEqual([429, 'rate_limited']);
  expect(answer.headers).toMatchObject({ connection: 'close', 'retry-after': expect.stringMatching(/^\d+$/) });
  expect(guesses).toBeGreaterThanOrEqual(10_000);
  expect((await guess('192.0.2.2')).statusCode).toBe(401);
  // A token of another role is no better.
  const wrong = await app.send({ url: '/api/v1/tokens', as: 'ingest', remoteAddress: '192.0.2.1' });
  expect(wrong.statusCode).toBe(429);
  expect((await post(app, gzipSync(batch()), '192.0.2.1')).json()).toMatchObject({ accepted: 1 });
});

test('polls with an ingest key count towards the same limits as batches', async () => {
  const app = await testApp();
  const poll = (from: string) => app.send({ url: '/api/v1/extension-settings', as: 'ingest', remoteAddress: from });
  await flood(app, '192.0.2.1');
  const refused = await poll('192.0.2.1');
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited']);
  expect(refused.json().error.hint).not.toContain('batch');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await poll('192.0.2.2')).statusCode).toBe(200);
  // People who ask questions from that address are not browsers that flood.
  expect((await app.send({ url: '/api/v1/settings', as: 'read', remoteAddress: '192.0.2.1' })).statusCode).toBe(200);
});

test('whoever has a whole /48 of IPv6 is told to wait like anybody else', async () => {
  const app = await testApp();
  let sent = 0;
  for (; sent < 2000; sent++) {
    const answer = await post(app, BOMB, `2001:db8:1:${sent.toString(16)}::1`);
    if (answer.statusCode === 429) break;
  }
  // A bomb costs 1.1 MB, and the network has 40 MiB per window, whatever its addresses.
  expect(sent).toBeLessThan(200);
  expect((await post(app, gzipSync(batch()), '2001:db8:2::1')).statusCode).toBe(200);
});

test.each([
  ['PUT', '/api/v1/settings', 600_000, 'admin'],
  ['POST', '/api/v1/settings/check', 600_000, 'admin'],
  ['POST', '/api/v1/tokens', 5000, 'admin'],
  ['POST', '/api/v1/session', 5000, 'ingest'],
] as const)('%s %s: what is too large is told so without a word of batches', async (method, url, bytes, as) => {
  const app = await testApp();
  const headers = { 'content-type': 'application/json' };
  const answer = await app.send({ method, url, as, headers, payload: `[${' '.repeat(bytes)}]` });
  expect([answer.statusCode, answer.json().error.code]).toEqual([413, 'batch_too_large']);
  expect(`${answer.json().error.message} ${answer.json().error.hint}`).not.toMatch(/rows|gzip|batch/);
});

test.each([
  ['POST', '/nobody/serves/this', 404],
  ['POST', '/api/v1/session', 413],
  ['DELETE', '/api/v1/session', 413],
  ['POST', '/api/v1/batches', 401],
  ['PUT', '/api/v1/settings', 401],
] as const)('%s %s: a large body of somebody unknown is not read', async (method, url, status) => {
  const app = await testApp();
  const headers = { 'content-type': 'application/json' };
  const answer = await app.send({ method, url, headers, payload: `[${' '.repeat(500_000)}` });
  expect(answer.statusCode).toBe(status);
});

async function listening(changes: Partial<AppDeps>): Promise<RunningServer> {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const deps = { store, clock: Date.now, version: '9.9.9', dashboardFolder: null, loopbackOnly: true };
  const rest = { trustProxy: false as const, tls: null, log: null };
  const server = await startServer({ ...deps, ...rest, ...changes }, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  return server;
}

async function open({ url }: Pick<RunningServer, 'url'>): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // What is cut may be cut hard.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const HEAD =
  'POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';

test.each([
  ['says nothing', ''],
  ['sends half of its headers', HEAD],
  ['sends half of its body', `${HEAD}\r\n{"token":`],
])('a connection that %s is cut once its time is over', async (_what, sent) => {
  const server = await listening({ requestTimeoutMs: 600 });
  const socket = await open(server);
  const start = performance.now();
  socket.write(sent);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  // Far below the half minute after which Node looks by itself, with room for a busy machine.
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('a TLS handshake that does not go on is cut once its time is over', async () => {
  const { chain, key } = await createServerCertificate(['localhost'], Date.now());
  const server = await listening({ requestTimeoutMs: 600, tls: { cert: chain, key } });
  for (const said of ['', '\x16\x03\x01']) {
    const socket = await open(server);
    socket.write(said);
    await once(socket.resume(), 'close');
  }
});

test('a connection that sends many requests at once is closed, and few of them are answered', async () => {
  const server = await listening({});
  const socket = await open(server);
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  socket.write(request.repeat(1000));
  const answers = (await text(socket).catch(() => '')).split('HTTP/1.1 200').length - 1;
  expect(answers).toBeLessThanOrEqual(MAX_PIPELINED);
  // A few are answered in their order.
  const polite = await open(server);
  polite.write(`${request.repeat(MAX_PIPELINED - 1)}${request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);
  expect((await text(polite)).split('HTTP/1.1 200')).toHaveLength(MAX_PIPELINED + 1);
});

test('a connection whose answer nobody takes is closed, and one that takes it slowly is not', async () => {
  const server = createServer();
  const bounds = boundRequests(server, (_request, response) => response.end(Buffer.alloc(BEYOND_BUFFERS)), 1000);
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    const socket = await open({ url: `http://127.0.0.1:${port}` });
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  };
  await ask();
  const slow = await ask();
  let taken = 0;
  // For longer in all than the other is given.
  slow.on('readable', () => undefined);
  while (bounds.dropped() === 0 || taken < BEYOND_BUFFERS) {
    taken += (slow.read(Math.min(2 ** 17, slow.readableLength || 1)) as Buffer | null)?.length ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(bounds.dropped()).toBe(1);
});

test('beyond the limit a connection is refused, idle ones are closed for the next, and one at work is not', async () => {
  let finish = () => {};
  const bounded = createBoundedServer(
    (request, response) => {
      if (request.url === '/held') finish = () => response.end('answered');
      else response.end('answered');
    },
    { tls: null, requestTimeoutMs: 3_600_000, maxConnections: 3 },
  );
  onTestFinished(() => void bounded.server.close());
  await once(bounded.server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(bounded.server.address() as AddressInfo).port}`;
  const ask = async (path: string) => {
    const socket = await open({ url });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket;
  };
  const answered = (socket: Socket) =>
    Promise.race([once(socket, 'data'), once(socket, 'close')]).then(([data]) => data);
  const working = await ask('/held');
  // Many more browsers than places are all answered in the end.
  let refused = 0;
  for (let browser = 0; browser < 30; browser++) while (!Buffer.isBuffer(await answered(await ask('/')))) refused++;
  expect(refused).toBeGreaterThan(0);
  expect(bounded.dropped()).toBe(refused);
  const held = answered(working);
  finish();
  expect(Buffer.isBuffer(await held)).toBe(true);
});
