import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ConnectionLimits } from '../../collector/http/connections/bound-connections.ts';
import { createBoundedServer } from '../../collector/http/connections/bounded-server.ts';
import { ConnectionGroups } from '../../collector/http/connections/open-connections.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';

const NEVER_MS = 2 ** 30;
const HOUR_MS = 3_600_000;
const [OFFICE, OTHER, THIRD] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const { authority, chain, key } = await createServerCertificate(['localhost'], Date.now());

/** Answers at once, but `/held` only when it is told to. */
async function listen(limits: Partial<ConnectionLimits>, tls: { cert: string; key: string } | null = null) {
  const held: ServerResponse[] = [];
  const handle: RequestListener = (asked, response) => {
    if (asked.url === '/held') held.push(response);
    else response.end('answered');
  };
  const bounded = createBoundedServer(handle, {
    tls,
    clock: () => 0,
    requestTimeoutMs: HOUR_MS,
    connectionLimits: { total: 100, perClient: { address: 100, network: 100 }, graceMs: NEVER_MS, ...limits },
    handshakeLimits: { unfinished: 100, patienceMs: NEVER_MS, perClient: null },
  });
  const { server } = bounded;
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => accepted.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    for (const socket of accepted) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;

  async function open(from: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}); // it may be cut hard
    await once(socket, 'connect');
    return socket;
  }
  /** Keeps its connection, which is idle to the server as well when this resolves. */
  async function idle(from: string): Promise<Socket> {
    const socket = await open(from);
    expect(await isAnswered(socket)).toBe(true);
    return socket;
  }
  async function busy(from: string): Promise<Socket> {
    const before = held.length;
    const socket = await open(from);
    socket.write(request('/held'));
    await expect.poll(() => held.length).toBe(before + 1);
    return socket.resume();
  }
  /** Says something, and the server has read it. */
  async function say(socket: Socket, said: string): Promise<void> {
    const own = accepted.find(({ remotePort }) => remotePort === socket.localPort) as Socket;
    const before = own.bytesRead;
    socket.write(said);
    await expect.poll(() => own.bytesRead).toBe(before + said.length);
  }
  return { ...bounded, port, held, open, idle, busy, say };
}

/** False if it was closed instead. */
async function isAnswered(socket: Socket, said = request('/')): Promise<boolean> {
  if (socket.destroyed) return false;
  const answer = new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
  socket.write(said);
  return answer;
}

const closed = (socket: Socket) => (socket.destroyed ? undefined : once(socket, 'close'));

test('a newcomer gets the place of the connection of its address that has been idle longest', async () => {
  const server = await listen({ perClient: { address: 2, network: 100 } });
  const other = await server.idle(OTHER);
  const [first, second] = [await server.idle(OFFICE), await server.idle(OFFICE)];
  // Now the second has been idle longer.
  expect(await isAnswered(first)).toBe(true);
  await server.idle(OFFICE);
  await closed(second);
  expect([await isAnswered(first), await isAnswered(other)]).toEqual([true, true]);
  expect([server.displaced(), server.dropped()]).toEqual([1, 0]);
});

test('far more browsers than places of one address are all answered, in turns', async () => {
  const server = await listen({ perClient: { address: 3, network: 3 } });
  for (let turn = 0; turn < 30; turn++) await server.idle(OFFICE);
  expect([server.displaced(), server.dropped()]).toEqual([27, 0]);
});

test('a connection with a request under way, or on which one arrives, is not closed for a newcomer', async () => {
  const server = await listen({ perClient: { address: 2, network: 100 } });
  const working = await server.busy(OFFICE);
  const sending = await server.idle(OFFICE);
  const [head, rest] = [request('/').slice(0, 9), request('/').slice(9)];
  await server.say(sending, head);
  await closed((await server.open(OFFICE)).resume());
  expect([server.displaced(), server.dropped()]).toEqual([0, 1]);
  expect(await isAnswered(sending, rest)).toBe(true);
  // It is idle again.
  await server.idle(OFFICE);
  await closed(sending);
  expect(working.destroyed).toBe(false);
  expect([server.displaced(), server.dropped()]).toEqual([1, 1]);
});

test.each(['', 'GET / HT'])('a connection that has said no more than %j counts as idle after a grace', async (said) => {
  const server = await listen({ perClient: { address: 1, network: 100 }, graceMs: 1 });
  const silent = (await server.open(OFFICE)).resume();
  if (said !== '') await server.say(silent, said);
  while (!(await isAnswered(await server.open(OFFICE))));
  await closed(silent);
  expect(server.displaced()).toBe(1);
});

test('a request that has begun to arrive has one grace, however slowly the rest of it comes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const graceMs = 5_000;
  const server = await listen({ perClient: { address: 1, network: 100 }, graceMs });
  const slow = (await server.idle(OFFICE)).resume();
  await server.say(slow, 'GET /');
  await closed((await server.open(OFFICE)).resume());
  vi.advanceTimersByTime(graceMs);
  await server.say(slow, 'a');
  await server.idle(OFFICE);
  await closed(slow);
  expect([server.displaced(), server.dropped()]).toEqual([1, 1]);
});

test('where all places are taken the network with the most idle connections makes room', async () => {
  const server = await listen({ total: 4, perClient: { address: 3, network: 3 } });
  const other = await server.idle(OTHER);
  const office = [await server.idle(OFFICE), await server.idle(OFFICE), await server.idle(OFFICE)];
  const third = await server.idle(THIRD);
  await closed(office[0] as Socket);
  for (const socket of [other, third, ...office.slice(1)]) expect(await isAnswered(socket)).toBe(true);
  expect([server.displaced(), server.dropped()]).toEqual([1, 0]);
});

test('where all are at work those of the largest network make room, until the shares are even', async () => {
  const server = await listen({ total: 4 });
  const office: Socket[] = [];
  for (let i = 0; i < 4; i++) office.push(await server.busy(OFFICE));
  await server.busy(OTHER);
  await server.busy(OTHER);
  await Promise.all(office.slice(0, 2).map(closed));
  await closed((await server.open(OTHER)).resume());
  expect(office.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
  expect([server.displaced(), server.dropped()]).toEqual([0, 3]);
});

test('behind a proxy idle connections make room too, and requests under way never do', async () => {
  const server = await listen({ total: 2, perClient: null });
  const [working, idle] = [await server.busy(OFFICE), await server.idle(OFFICE)];
  await server.busy(OFFICE);
  await closed(idle);
  await closed((await server.open(OTHER)).resume());
  expect(working.destroyed).toBe(false);
  expect([server.displaced(), server.dropped()]).toEqual([1, 1]);
});

test('a TLS handshake under way is not closed for a newcomer; a silent connection is, and an idle one', async () => {
  const server = await listen({ perClient: { address: 2, network: 100 }, graceMs: 1 }, { cert: chain, key });
  const shaking = await server.open(OFFICE);
  // The head of a TLS record whose rest is still to come.
  await server.say(shaking.resume(), '\x16\x03\x01');
  const silent = (await server.open(OFFICE)).resume();
  const secure = async () => {
    for (;;) {
      const socket = connectTls({ ca: authority, servername: 'localhost', socket: await server.open(OFFICE) });
      socket.on('error', () => {}); // it may have been refused
      if (await isAnswered(socket)) return socket;
    }
  };
  const idle = await secure();
  await closed(silent);
  await secure();
  await closed(idle);
  expect(shaking.destroyed).toBe(false);
  expect(server.displaced()).toBe(2);
});

test('groups know their sizes, their first members and the largest of them', () => {
  const groups = new ConnectionGroups<number>((member) => `of ${member % 5}`);
  const members = new Set<number>();
  for (let step = 0; step < 2_000; step++) {
    const member = (step * 7919) % 31;
    if (members.has(member) && step % 3 > 0) {
      groups.delete(member);
      members.delete(member);
    } else {
      groups.add(member);
      members.add(member);
    }
    const keys = [0, 1, 2, 3, 4];
    const sizes = keys.map((rest) => [...members].filter((other) => other % 5 === rest).length);
    expect(keys.map((rest) => groups.size(`of ${rest}`))).toEqual(sizes);
    for (const rest of keys) expect(groups.first(`of ${rest}`)).toBe([...members].find((other) => other % 5 === rest));
    const largest = groups.largest();
    expect(largest === undefined ? 0 : groups.size(largest)).toBe(Math.max(...sizes));
  }
});
