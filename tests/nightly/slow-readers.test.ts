import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { AppDeps } from '../../collector/http/api/app-deps.ts';
import { MIN_BYTES_PER_S } from '../../collector/http/api/unsent-answers.ts';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Role, Store } from '../../collector/storage/store.ts';
import { fill } from '../collector/fill-store.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

/** More than the system buffers for a connection. */
const ANSWER_BYTES = 32 * 2 ** 20;
const PAGES = '/api/v1/pages';

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A collector whose answers are large; `asked` counts those that were computed. */
async function largeAnswers(
  changes: Partial<AppDeps> = {},
  samplesOf: (samples: Store['samples']) => Partial<Store['samples']> = () => ({}),
) {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  await fill(store, [PLAIN_SAMPLE]);
  let now = NOW;
  const counts = { asked: 0, cancelled: 0 };
  const read = (async (reading, question, watch = {}) => {
    const answer = await store.samples.read(reading, question, watch);
    if (reading.name !== 'pages') return answer;
    counts.asked++;
    watch.signal?.addEventListener('abort', () => counts.cancelled++);
    return {
      ...(answer as object),
      rest: Buffer.concat([
        (answer as { rest: Uint8Array }).rest.subarray(0, -1),
        Buffer.alloc(ANSWER_BYTES, ' '),
        Buffer.from('}'),
      ]),
    };
  }) as Store['samples']['read'];
  const server = await startServer(
    {
      store: { ...store, samples: { ...store.samples, read, ...samplesOf(store.samples) } },
      clock: () => now,
      version: '9.9.9',
      dashboardFolder: null,
      loopbackOnly: true,
      trustProxy: false,
      tls: null,
      log: null,
      ...changes,
    },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  const port = Number(new URL(server.url).port);
  const newToken = async (role: Role = 'read') => {
    const { stored, token } = makeToken(role, '', NOW);
    await store.tokens.create(stored);
    return token;
  };
  const head = (path: string, token: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;

  /** Takes the first bytes of its answer and then nothing. */
  async function askWithoutReading(path: string, token: string, more = ''): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}); // it may be cut hard
    socket.write(head(path, token, more));
    await once(socket, 'readable');
    return socket;
  }
  async function ask(path: string, token: string, more = ''): Promise<Answer> {
    const socket = connect(port, '127.0.0.1');
    socket.write(head(path, token, `Connection: close\r\n${more}`));
    const received = await text(socket);
    const [first = '', ...rest] = received.split('\r\n\r\n');
    return { status: Number(first.slice(9, 12)), head: first, body: rest.join('\r\n\r\n') };
  }
  async function metric(name: string): Promise<number> {
    // Longer than an answer is kept.
    now += 10_000;
    const { body } = await ask('/metrics', await newToken());
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1]);
  }
  return { store, port, counts, head, newToken, askWithoutReading, ask, metric };
}

/** Exports never come to their end. */
function endless(samples: Store['samples']): Partial<Store['samples']> {
  return {
    async *scanColumns(query) {
      for (;;) yield* samples.scanColumns(query);
    },
  };
}

test.each(['', 'Accept: application/x-ndjson\r\n'])(
  'a token that leaves its answers unread gets no further ones, and others do (%j)',
  async (accept) => {
    const server = await largeAnswers({ unsentLimits: { maxBytes: 5 * ANSWER_BYTES } });
    const [slow, other] = [await server.newToken(), await server.newToken()];
    const open: Socket[] = [];
    for (let i = 0; i < 2; i++) open.push(await server.askWithoutReading(PAGES, slow, accept));
    const refused = await server.ask(PAGES, slow, accept);
    // Lines that have told of progress end with the error.
    if (accept === '')
      expect(refused).toMatchObject({ status: 429, head: expect.stringMatching(/\r\nretry-after: \d+/) });
    expect(refused.body).toContain('"error":{"code":"rate_limited"');
    expect(await server.metric('lastbyte_unsent_refused_total')).toBe(1);
    expect(await server.metric('lastbyte_unsent_answer_bytes')).toBeGreaterThan(2 * ANSWER_BYTES);
    expect((await server.ask(PAGES, other, accept)).status).toBe(200);
    // What is taken, or given up, makes room.
    for (const socket of open) socket.destroy();
    await expect.poll(() => server.metric('lastbyte_unsent_answer_bytes')).toBe(0);
    expect((await server.ask(PAGES, slow, accept)).status).toBe(200);
  },
);

test('beyond its share a token is refused before anything is computed', async () => {
  const server = await largeAnswers({ unsentLimits: { maxBytes: ANSWER_BYTES } });
  const token = await server.newToken();
  await server.askWithoutReading(PAGES, token);
  expect(server.counts.asked).toBe(1);
  for (const path of [PAGES, '/api/v1/summary', '/api/v1/report?view=pages', '/api/v1/export']) {
    expect({ path, status: (await server.ask(path, token)).status }).toEqual({ path, status: 429 });
  }
  expect(server.counts.asked).toBe(1);
});

test('whoever asks many questions at once holds no more than a share of the answers', async () => {
  const maxBytes = 6 * ANSWER_BYTES;
  const server = await largeAnswers({ unsentLimits: { maxBytes } });
  const token = await server.newToken();
  const sockets = await Promise.all(Array.from({ length: 8 }, () => server.askWithoutReading(PAGES, token)));
  expect(await server.metric('lastbyte_unsent_answer_bytes')).toBeLessThanOrEqual(maxBytes / 2);
  const statuses = sockets.map((socket) => String(socket.read(12)).slice(9));
  expect(statuses.filter((status) => status === '429').length).toBeGreaterThanOrEqual(5);
});

test.each(['', 'Accept: application/x-ndjson\r\n'])(
  'a reader that takes a little now and then is cut once it is behind the least rate (%j)',
  async (accept) => {
    const server = await largeAnswers({ unsentLimits: { graceMs: 1500 - (ANSWER_BYTES / MIN_BYTES_PER_S) * 1000 } });
    const socket = await server.askWithoutReading(PAGES, await server.newToken(), accept);
    const drip = setInterval(() => socket.read(1), 50);
    onTestFinished(() => clearInterval(drip));
    await expect.poll(() => server.metric('lastbyte_slow_readers_total'), { timeout: 20_000 }).toBe(1);
    expect(await server.metric('lastbyte_unsent_answer_bytes')).toBe(0);
  },
);

test('questions behind an unread answer are cancelled with their connection', async () => {
  const server = await largeAnswers({ unsentLimits: { maxBytes: 8 * ANSWER_BYTES } });
  const token = await server.newToken();
  const socket = connect(server.port, '127.0.0.1');
  socket.write(server.head(PAGES, token).repeat(3));
  await expect.poll(() => server.counts.asked).toBe(3);
  expect(await server.metric('lastbyte_unsent_answer_bytes')).toBeGreaterThan(ANSWER_BYTES);
  socket.destroy();
  // The first of them has its answer.
  await expect.poll(() => server.counts.cancelled).toBeGreaterThanOrEqual(2);
  expect(await server.metric('lastbyte_unsent_answer_bytes')).toBe(0);
});

test('what needs no token counts by address', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'large-ABCDEFGH.js'), Buffer.alloc(ANSWER_BYTES, ' '));
  const server = await largeAnswers({ unsentLimits: { maxBytes: 3 * ANSWER_BYTES }, dashboardFolder: folder });
  const token = await server.newToken();
  await server.askWithoutReading('/large-ABCDEFGH.js', token);
  const refused = await server.ask('/large-ABCDEFGH.js', token);
  expect(refused.status).toBe(429);
  // None of the file's own headers, which would have the refusal cached for ever.
  expect(refused.head).toMatch(/\r\ncache-control: no-store\r\n/);
  expect(refused.head).toMatch(/\r\ncontent-type: application\/json/);
  expect(refused.head).not.toMatch(/etag/);
  expect(JSON.parse(refused.body).error.code).toBe('rate_limited');
  expect((await server.ask(PAGES, token)).status).toBe(200);
});

test('one token has two of the exports at most', async () => {
  const server = await largeAnswers({}, endless);
  const [token, other] = [await server.newToken('admin'), await server.newToken('admin')];
  await server.askWithoutReading('/api/v1/export', token);
  const second = await server.askWithoutReading('/api/v1/export', token);
  const third = await server.ask('/api/v1/export', token);
  expect(third.status).toBe(503);
  expect(JSON.parse(third.body).error).toMatchObject({
    code: 'busy',
    message: '2 exports of this token are running already',
  });
  expect(String((await server.askWithoutReading('/api/v1/export', other)).read(12))).toBe('HTTP/1.1 200');
  second.destroy();
  await expect
    .poll(async () => String((await server.askWithoutReading('/api/v1/export', token)).read(12)))
    .toBe('HTTP/1.1 200');
});
