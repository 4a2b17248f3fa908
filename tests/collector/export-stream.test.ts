import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { MOST_EXPORTS } from '../../collector/http/routes/export.ts';
import { startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { SampleColumns } from '../../shared/sample/sample-columns.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What sockets and streams hold between the two, and more. */
const MOST_BYTES_AHEAD = 64 * 1024 * 1024;

/** A server whose exports never come to their end, and begin once `held` has resolved. */
async function endlessServer(held = Promise.resolve()) {
  const store = await openStore({ folder: await temporaryFolder(), as: 'server' });
  // One token may have half of the exports.
  const made = [1, 2].map(() => makeToken('admin', '', NOW));
  for (const { stored } of made) await store.tokens.create(stored);
  let opened = 0;
  await fill(
    store,
    Array.from({ length: 2000 }, () => PLAIN_SAMPLE),
  );
  const seen = { begun: 0, rows: 0, ended: 0 };
  /** The same block for ever. */
  async function* endless(query: Parameters<Store['samples']['scanColumns']>[0]): AsyncGenerator<SampleColumns> {
    seen.begun++;
    try {
      await held;
      for (;;) {
        for await (const block of store.samples.scanColumns(query)) {
          seen.rows += block.n;
          yield block;
        }
      }
    } finally {
      seen.ended++;
    }
  }
  const server = await startServer(
    {
      store: { ...store, samples: { ...store.samples, scanColumns: endless } },
      clock: () => NOW,
      version: '1',
      dashboardFolder: null,
      loopbackOnly: true,
      trustProxy: false,
      tls: null,
      log: null,
    },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });

  const ask = (method = 'GET') => {
    const headers = { authorization: `Bearer ${made[opened++ % made.length]?.token}` };
    const asked = request(`${server.url}/api/v1/export`, { method, headers });
    asked.on('error', () => {});
    asked.end();
    return asked;
  };
  const open = async (method = 'GET') => {
    const [response] = (await once(ask(method), 'response')) as [IncomingMessage];
    return response;
  };
  return { seen, ask, open };
}

test('an export goes as fast as it is read, and ends when nobody reads it any more', async () => {
  const { seen, open } = await endlessServer();
  const response = await open();
  const [first] = await once(response, 'data');
  response.pause();
  const rowBytes = first.length / first.toString().split('\r\n').length;
  // Without back-pressure it would never stand still.
  for (let before = -1; before !== seen.rows; ) {
    before = seen.rows;
    await setTimeout(200);
  }
  expect(seen.rows * rowBytes).toBeLessThan(MOST_BYTES_AHEAD);
  expect(seen.ended).toBe(0);
  response.destroy();
  await expect.poll(() => seen.ended, { timeout: 20_000 }).toBe(1);
});

test('only so many exports run at a time; the next is told to come back, and may once one has ended', async () => {
  const { open } = await endlessServer();
  const running = await Promise.all(Array.from({ length: MOST_EXPORTS }, () => open()));
  expect(running.map(({ statusCode }) => statusCode)).toEqual(running.map(() => 200));
  const refused = await open();
  expect(refused.statusCode).toBe(503);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(await json(refused)).toMatchObject({ error: { code: 'busy', message: '4 exports are running already' } });
  const head = await open('HEAD');
  expect(head.statusCode).toBe(404);
  running[0]?.destroy();
  await expect
    .poll(
      async () => {
        const again = await open();
        const { statusCode } = again;
        again.destroy();
        return statusCode;
      },
      { timeout: 20_000 },
    )
    .toBe(200);
  for (const one of running) one.destroy();
});

test('an export whose client has gone keeps its place until nothing is read for it any more', async () => {
  let go = () => {};
  const { seen, ask, open } = await endlessServer(
    new Promise((resolve) => {
      go = resolve;
    }),
  );
  let refused = 0;
  for (let asked = 1; asked <= 40; asked++) {
    const one = ask().on('response', ({ statusCode }) => {
      if (statusCode === 503) refused++;
    });
    await expect.poll(() => seen.begun + refused, { interval: 5 }).toBe(asked);
    one.destroy();
  }
  expect(seen.begun).toBe(MOST_EXPORTS);
  go();
  await expect.poll(() => seen.ended).toBe(MOST_EXPORTS);
  const again = await open();
  expect(again.statusCode).toBe(200);
  again.destroy();
});
