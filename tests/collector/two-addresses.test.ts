import dns from 'node:dns';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { AppDeps } from '../../collector/http/api/app-deps.ts';
import { MAX_PIPELINED } from '../../collector/http/connections/bounded-server.ts';
import { startServer } from '../../collector/http/server.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Both are loopback on any machine with IPv4; ::1 may be missing. */
const ADDRESSES = ['127.0.0.1', '127.0.0.2'];
const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const LAST_REQUEST = REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

beforeEach(() => {
  const { lookup } = dns;
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, ...more: unknown[]) => {
    if (host !== 'localhost') return lookup(host, ...(more as [never, never]));
    const done = more.at(-1) as (...found: unknown[]) => void;
    // What is asked without options takes one address.
    const all = more.length > 1 && (more[0] as dns.LookupOptions).all === true;
    const found = ADDRESSES.map((address) => ({ address, family: 4 }));
    process.nextTick(done, null, ...(all ? [found] : [ADDRESSES[0], 4]));
  }) as never);
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

async function listenAtLocalhost(changes: Partial<AppDeps> = {}): Promise<{ port: number; close(): Promise<void> }> {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const deps = { store, clock: Date.now, version: '9.9.9', dashboardFolder: null, loopbackOnly: true };
  const rest = { trustProxy: false as const, tls: null, log: null };
  const server = await startServer({ ...deps, ...rest, ...changes }, { host: 'localhost', port: 0 });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await server.close();
    await store.close();
  };
  onTestFinished(close);
  return { port: Number(new URL(server.url).port), close };
}

async function open(port: number, host: string): Promise<Socket> {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  // It may be cut hard.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const answersIn = (received: string) => received.split('HTTP/1.1 200').length - 1;

test.each(ADDRESSES)('%s of localhost: requests are answered, and those of one connection bounded', async (host) => {
  const { port } = await listenAtLocalhost();
  const polite = await open(port, host);
  polite.write(REQUEST + LAST_REQUEST);
  expect(answersIn(await text(polite))).toBe(2);
  const flood = await open(port, host);
  flood.write(REQUEST.repeat(500) + LAST_REQUEST);
  // A connection that was reset has answered nothing.
  expect(answersIn(await text(flood).catch(() => ''))).toBeLessThanOrEqual(MAX_PIPELINED);
});

test.each(ADDRESSES)('%s of localhost: its connections are bounded', async (host) => {
  const { port } = await listenAtLocalhost({ maxConnections: 2 });
  for (let place = 0; place < 2; place++) await open(port, host);
  const beyond = await open(port, host);
  await once(beyond.resume(), 'close');
});

test.each(ADDRESSES)('%s of localhost: what is not HTTP is answered as everywhere', async (host) => {
  const { port } = await listenAtLocalhost();
  const socket = await open(port, host);
  socket.write('this is not HTTP\r\n\r\n');
  expect(await text(socket)).toContain('"code":"invalid_request"');
});

test.each(ADDRESSES)('%s of localhost speaks TLS where the server does', async (host) => {
  const { chain, key, authority } = await createServerCertificate(['localhost'], Date.now());
  const { port } = await listenAtLocalhost({ tls: { cert: chain, key } });
  const socket = connectTls({ port, host, ca: authority, servername: 'localhost' });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  socket.write(LAST_REQUEST);
  expect(answersIn(await text(socket))).toBe(1);
});

test('closing ends what listens at both addresses, and idle connections with it', async () => {
  const { port, close } = await listenAtLocalhost();
  const idle: Socket[] = [];
  for (const host of ADDRESSES) {
    const socket = await open(port, host);
    socket.write(REQUEST);
    await once(socket, 'data');
    idle.push(socket);
  }
  const ended = Promise.all(idle.map((socket) => once(socket.resume(), 'close')));
  await close();
  await ended;
  for (const host of ADDRESSES) {
    const free = createServer();
    await once(free.listen(port, host), 'listening');
    free.close();
  }
});
