import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { AppDeps } from '../../collector/http/api/app-deps.ts';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const MIB = 2 ** 20;
/** Of a batch of about 60 KB. */
const ROWS = 500;
const onLinux = test.runIf(process.platform === 'linux');

async function listening(changes: Partial<AppDeps> = {}) {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const [ingest, read] = [makeToken('ingest', '', Date.now()), makeToken('read', '', Date.now())];
  for (const { stored } of [ingest, read]) await store.tokens.create(stored);
  const log: string[] = [];
  const server = await startServer(
    {
      store,
      clock: Date.now,
      version: '9.9.9',
      dashboardFolder: null,
      loopbackOnly: true,
      trustProxy: false,
      tls: null,
      log: { write: (line: string) => log.push(line) > 0 } as unknown as NodeJS.WritableStream,
      ...changes,
    },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  return { server, log, ingest: ingest.token, read: read.token };
}
type Listening = Awaited<ReturnType<typeof listening>>;

/** A connection that has sent the headers of a batch and whatever is given of its body. */
async function begin({ server, ingest }: Listening, from: string, told: number, sent = ''): Promise<Socket> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress: from });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/batches HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ingest}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${told}\r\nExpect: 100-continue\r\n\r\n${sent}`,
  );
  return socket;
}

async function sendBatch({ server, ingest }: Listening, from: string, rows = 1): Promise<number | undefined> {
  const now = Date.now();
  const samples = Array.from({ length: rows }, (_, i) => ({ ...PLAIN_SAMPLE, at: now - 1000 - i }));
  const batch = JSON.stringify(encodeBatch(ORIGIN, randomUUID(), now, samples));
  const headers = { authorization: `Bearer ${ingest}`, 'content-type': 'application/json' };
  const sending = request(`${server.url}/api/v1/batches`, { method: 'POST', localAddress: from, headers });
  sending.end(batch);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

async function heldBytes({ server, read }: Listening): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${read}` } });
  return Number(/lastbyte_intake_held_bytes (\d+)\n/.exec(await answer.text())?.[1]);
}

async function untilHeld(to: Listening, isReached: (bytes: number) => boolean): Promise<void> {
  while (!isReached(await heldBytes(to)));
}

onLinux(
  'a thousand connections that promise up to a megabyte each and send none of it take room from nobody',
  async () => {
    const to = await listening();
    // From 1 MiB down to 2 KiB, so that what is promised would fill whatever is left.
    const promised = Array.from({ length: 40 }, (_, i) => MIB >> Math.floor(i / 4));
    const addresses = Array.from({ length: 25 }, (_, i) => `127.0.1.${1 + i}`);
    const idle = await Promise.all(addresses.flatMap((from) => promised.map((told) => begin(to, from, told))));
    // "100 Continue" says that the headers were read.
    await Promise.all(idle.map((socket) => once(socket, 'data')));
    const honest = await Promise.all(Array.from({ length: 40 }, (_, i) => sendBatch(to, `127.0.2.${1 + i}`, ROWS)));
    expect(honest).toEqual(Array(40).fill(200));
    // An office where one computer does this sends from the same address.
    expect(await sendBatch(to, '127.0.1.1', ROWS)).toBe(200);
    expect(await heldBytes(to)).toBe(0);
  },
);

onLinux('bodies that stop half way leave room to other networks, and none of it taken once they end', async () => {
  const to = await listening({ maxBytesInFlight: MIB });
  const stalled = await Promise.all(
    Array.from({ length: 25 }, () => begin(to, '127.0.1.1', 41_000, 'x'.repeat(40_000))),
  );
  // A third of it: the next would leave less free than twice what they take.
  await untilHeld(to, (bytes) => bytes > 300_000);
  expect(await sendBatch(to, '127.0.2.1', ROWS)).toBe(200);
  expect(await heldBytes(to)).toBeLessThan(MIB / 2);
  for (const socket of stalled) socket.destroy();
  await untilHeld(to, (bytes) => bytes === 0);
  expect(to.log).toEqual([]);
});

test('requests that are reset at any stage leave no room taken and no line in the log', async () => {
  const to = await listening();
  const stages = ['', 'x', 'x'.repeat(1000), 'x'.repeat(100_000)];
  for (let round = 0; round < 50; round++) {
    const sockets = await Promise.all(
      stages.flatMap((sent) => [begin(to, '127.0.0.1', 100_000, sent), begin(to, '127.0.0.1', MIB, sent)]),
    );
    for (const socket of sockets) socket.resetAndDestroy();
  }
  expect(await sendBatch(to, '127.0.0.1')).toBe(200);
  await untilHeld(to, (bytes) => bytes === 0);
  expect(to.log).toEqual([]);
});
