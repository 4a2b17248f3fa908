import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as afterIo } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import type { AppDeps } from '../../collector/http/api/app-deps.ts';
import type { HandshakeLimits } from '../../collector/http/connections/bound-handshakes.ts';
import { createBoundedServer } from '../../collector/http/connections/bounded-server.ts';
import { startServer } from '../../collector/http/server.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const FLOOD_SIZE = 40;
const FLOOD = '127.0.0.1';
/** Another network: an IPv4 address stands for itself. */
const OTHER = '127.0.0.2';
const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const NEVER_MS = 2 ** 30;
const UNLIMITED: HandshakeLimits = { unfinished: 1_000, patienceMs: NEVER_MS, perClient: null };

const { authority, chain, key } = await createServerCertificate(['localhost'], Date.now());

async function listen(limits: Partial<HandshakeLimits>, changes: Partial<AppDeps> = {}): Promise<number> {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const server = await startServer(
    {
      store,
      clock: () => 0,
      version: '9.9.9',
      dashboardFolder: null,
      loopbackOnly: true,
      trustProxy: false,
      tls: { cert: chain, key },
      log: null,
      handshakeLimits: { ...UNLIMITED, ...limits },
      ...changes,
    },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  return Number(new URL(server.url).port);
}

/** What a client says first, to be said again by clients that never finish. */
async function recordHello(): Promise<Buffer> {
  const recorder = createServer().listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const address = recorder.address();
  if (address === null || typeof address === 'string') throw new Error('the recorder has no port');
  const client = connectTls({ port: address.port, host: '127.0.0.1' });
  client.on('error', () => {}); // it gets no answer
  const [socket]: Socket[] = await once(recorder, 'connection');
  const [hello]: Buffer[] = await once(socket as Socket, 'data');
  client.destroy();
  recorder.close();
  return hello as Buffer;
}

async function open(port: number, localAddress: string, said?: Buffer): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}); // it may be cut hard
  await once(socket, 'connect');
  if (said !== undefined) socket.write(said);
  return socket;
}

const isAnswered = ({ bytesRead }: Socket) => bytesRead > 0;

async function health(port: number, localAddress: string): Promise<string> {
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    ca: authority,
    servername: 'localhost',
    socket: await open(port, localAddress),
  });
  socket.write(REQUEST);
  return text(socket);
}

test('few handshakes are under way at a time, and many of one network do not stand before the first of another', async () => {
  const unfinished = 2;
  const port = await listen({ unfinished });
  const hello = await recordHello();
  const flood: Socket[] = [];
  for (let i = 0; i < FLOOD_SIZE; i++) flood.push((await open(port, FLOOD, hello)).resume());
  const answered = () => flood.filter(isAnswered).length;
  await expect.poll(answered).toBeGreaterThanOrEqual(unfinished);
  const other = (await open(port, OTHER, hello)).resume();
  // Whatever comes after this has been seen after the other's hello.
  const last = (await open(port, FLOOD, hello)).resume();
  expect(answered()).toBe(unfinished);
  let ended = 0;
  while (!isAnswered(other)) {
    expect(ended).toBeLessThanOrEqual(2 * unfinished);
    const before = answered();
    const next = flood.find((socket) => isAnswered(socket) && !socket.destroyed);
    next?.resetAndDestroy();
    ended++;
    await expect.poll(() => answered() > before || isAnswered(other)).toBe(true);
    expect(flood.filter((socket) => isAnswered(socket) && !socket.destroyed).length).toBeLessThanOrEqual(unfinished);
  }
  expect(isAnswered(last)).toBe(false);
});

test('a handshake that is finished makes room, though its connection stays', async () => {
  const port = await listen({ unfinished: 1 });
  for (let i = 0; i < 3; i++) {
    const socket = connectTls({ port, ca: authority, servername: 'localhost', socket: await open(port, FLOOD) });
    await once(socket, 'secureConnect');
  }
  expect(await health(port, FLOOD)).toContain('"status":"ok"');
});

test('a connection that says nothing takes nobody\u2019s turn', async () => {
  const port = await listen({ unfinished: 1 });
  for (let i = 0; i < 3; i++) await open(port, FLOOD);
  expect(await health(port, FLOOD)).toContain('"status":"ok"');
});

test('a handshake that is never finished gives way when others wait', async () => {
  const port = await listen({ unfinished: 1, patienceMs: 50 });
  const stalled = (await open(port, OTHER, await recordHello())).resume();
  await expect.poll(() => isAnswered(stalled)).toBe(true);
  const cut = once(stalled, 'close');
  expect(await health(port, FLOOD)).toContain('"status":"ok"');
  await cut;
});

/** A server whose one turn is taken, by somebody who does not finish. */
async function busyServer() {
  const { server, dropped } = createBoundedServer((_, answer) => void answer.end(), {
    tls: { cert: chain, key },
    clock: () => 0,
    requestTimeoutMs: 3_600_000,
    connectionLimits: { total: 1_000, perClient: null, graceMs: 5_000 },
    handshakeLimits: { ...UNLIMITED, unfinished: 1 },
  });
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => accepted.push(socket));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const stalled = (await open(port, OTHER, await recordHello())).resume();
  await expect.poll(() => isAnswered(stalled)).toBe(true);
  const visit = async () => {
    const client = (await open(port, FLOOD)).setNoDelay(true).resume();
    await expect.poll(() => accepted.some(({ remotePort }) => remotePort === client.localPort)).toBe(true);
    return { client, served: accepted.at(-1) as Socket };
  };
  return { visit, stalled, dropped };
}

/** One after the other, each in a packet of its own, until the server has enough; resolves to how many were said. */
async function sayEach(client: Socket, pieces: readonly Buffer[]): Promise<number> {
  let said = 0;
  for (const piece of pieces) {
    if (client.destroyed) break;
    client.write(piece);
    said++;
    await afterIo();
  }
  return said;
}

/** Of a record that holds a hello. */
const HEADER = Buffer.of(22, 3, 1, 2, 0);

test('who says many tiny pieces before its turn is cut, so that few are held, and counted', async () => {
  const { visit, dropped } = await busyServer();
  const { client, served } = await visit();
  const bytes = Array.from({ length: 500 }, () => Buffer.of(1));
  expect(await sayEach(client, [HEADER, ...bytes])).toBeLessThan(100);
  expect(served.bytesRead).toBeLessThan(100);
  expect(dropped()).toBe(1);
});

test('who says more before its turn than a hello holds is cut, and counted', async () => {
  const { visit, dropped } = await busyServer();
  const { client, served } = await visit();
  client.write(Buffer.concat([HEADER, Buffer.alloc(2 ** 15)]));
  await expect.poll(() => served.destroyed).toBe(true);
  expect(dropped()).toBe(1);
});

test('who hangs up before its turn leaves the queue', async () => {
  const { visit } = await busyServer();
  const { client, served } = await visit();
  client.end(await recordHello());
  await expect.poll(() => served.destroyed).toBe(true);
});

test('a hello that comes in a few pieces before its turn is answered', async () => {
  const { visit, stalled, dropped } = await busyServer();
  const { client, served } = await visit();
  const hello = await recordHello();
  const parts = [hello.subarray(0, 3), hello.subarray(3, 100), hello.subarray(100)];
  for (const [place, part] of parts.entries()) {
    client.write(part);
    const bytes = parts.slice(0, place + 1).reduce((sum, { length }) => sum + length, 0);
    await expect.poll(() => served.bytesRead).toBe(bytes);
  }
  stalled.resetAndDestroy();
  await expect.poll(() => isAnswered(client)).toBe(true);
  expect(dropped()).toBe(0);
});

test('the handshakes of an address and of all have their limits, and others are let in', async () => {
  const burst = 3;
  // The clock stands still: the next would have to wait longer than a handshake may take.
  const limit = { rate: 1 / 3600, burst };
  const port = await listen({ perClient: { address: limit, network: limit } });
  const hello = await recordHello();
  const flood: Socket[] = [];
  const closed: Promise<unknown>[] = [];
  for (let i = 0; i < burst + 5; i++) {
    const socket = (await open(port, FLOOD, hello)).resume();
    closed.push(once(socket, 'close').then(() => i));
    flood.push(socket);
    await expect.poll(() => isAnswered(socket) || socket.closed).toBe(true);
  }
  expect(flood.map(isAnswered)).toEqual(flood.map((_, i) => i < burst));
  await Promise.all(closed.slice(burst));
  expect(await health(port, OTHER)).toContain('"status":"ok"');
});

test('a handshake beyond the rate waits for its turn, and is not cut', async () => {
  const limit = { rate: 50, burst: 1 };
  const port = await listen({ perClient: { address: limit, network: limit } });
  const answers = await Promise.all(Array.from({ length: 5 }, () => health(port, FLOOD)));
  for (const answer of answers) expect(answer).toContain('"status":"ok"');
});

test('a connection has to end its handshake in time', async () => {
  const port = await listen({}, { requestTimeoutMs: 300 });
  const hello = await recordHello();
  const [silent, stalled] = [await open(port, FLOOD), await open(port, FLOOD, hello)];
  await Promise.all([silent, stalled].map((socket) => once(socket.resume(), 'close')));
});

test('one connection has one handshake', async () => {
  const port = await listen({});
  const socket = connectTls({ port, host: '127.0.0.1', ca: authority, servername: 'localhost', maxVersion: 'TLSv1.2' });
  await once(socket, 'secureConnect');
  const failed = once(socket, 'error');
  socket.renegotiate({}, () => {});
  expect((await failed)[0]).toMatchObject({ code: 'ERR_SSL_NO_RENEGOTIATION' });
  socket.destroy();
});
