import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { type RunningServer, startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { MAX_BODY_BYTES } from '../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function listening(): Promise<{ server: RunningServer; token: string }> {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const { stored, token } = makeToken('ingest', '', Date.now());
  await store.tokens.create(stored);
  const deps = { store, clock: Date.now, version: '9.9.9', dashboardFolder: null, loopbackOnly: true };
  const server = await startServer(
    { ...deps, trustProxy: false, tls: null, log: null },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  return { server, token };
}

/** Sends each piece once the one before has left, with no length told beforehand. */
async function sendPieces(
  { server, token }: Awaited<ReturnType<typeof listening>>,
  pieces: Iterable<string>,
  path = '/api/v1/batches',
): Promise<{ status: number | undefined; code: string | undefined; accepted: number | undefined }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sending = request(`${server.url}${path}`, { method: 'POST', headers });
  // Who refuses a body closes the connection on what is still to come of it.
  sending.on('error', () => {});
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  for (const piece of pieces) {
    sending.write(piece);
    await setImmediate();
  }
  sending.end();
  const [answer] = await answered;
  const body = JSON.parse(Buffer.concat(await answer.toArray()).toString());
  return { status: answer.statusCode, code: body.error?.code, accepted: body.accepted };
}

const batch = () => {
  const now = Date.now();
  return JSON.stringify(encodeBatch(ORIGIN, randomUUID(), now, [{ ...PLAIN_SAMPLE, at: now - 1000 }]));
};

test('a body that comes in pieces is the same body, and those that come side by side are kept apart', async () => {
  const to = await listening();
  const thirds = (text: string) => [0, 1, 2].map((part) => text.slice(...bounds(text.length, part)));
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendPieces(to, thirds(batch()))));
  expect(answers).toEqual(Array(8).fill({ status: 200, code: undefined, accepted: 1 }));
});

test.each([
  ['/api/v1/batches', MAX_BODY_BYTES],
  // Anybody may knock at it, and less is enough.
  ['/api/v1/session', 1024],
])('a body to %s that grows past its limit is refused, and the next one is answered', async (path, limit) => {
  const to = await listening();
  const piece = 'x'.repeat(limit / 4);
  expect(await sendPieces(to, [piece, piece, piece, piece, 'x'], path)).toMatchObject({ status: 413 });
  expect(await sendPieces(to, [batch()])).toMatchObject({ status: 200, accepted: 1 });
});

test('who goes away in the middle of a body harms nobody', async () => {
  const to = await listening();
  const headers = { authorization: `Bearer ${to.token}`, 'content-type': 'application/json' };
  const leaving = request(`${to.server.url}/api/v1/batches`, { method: 'POST', headers });
  leaving.on('error', () => {});
  leaving.write(batch().slice(0, 100));
  await once(leaving, 'socket');
  leaving.destroy();
  expect(await sendPieces(to, [batch()])).toMatchObject({ status: 200, accepted: 1 });
});

function bounds(length: number, part: number): [from: number, to: number] {
  return [Math.floor((part * length) / 3), Math.floor(((part + 1) * length) / 3)];
}
