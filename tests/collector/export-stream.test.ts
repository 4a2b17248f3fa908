import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/store/open-store.ts';
import type { Store } from '../../collector/store/store.ts';
import type { SampleColumns } from '../../shared/sample/sample-columns.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What sockets and streams hold between the two, and more. */
const MOST_BYTES_AHEAD = 64 * 1024 * 1024;

test('an export goes as fast as it is read, and ends when nobody reads it any more', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'server' });
  const { stored, token } = makeToken('admin', '', NOW);
  await store.tokens.create(stored);
  await fill(
    store,
    Array.from({ length: 2000 }, () => PLAIN_SAMPLE),
  );
  let rows = 0;
  let ended = false;
  /** The same block for ever. */
  async function* endless(query: Parameters<Store['samples']['scanColumns']>[0]): AsyncGenerator<SampleColumns> {
    try {
      for (;;) {
        for await (const block of store.samples.scanColumns(query)) {
          rows += block.n;
          yield block;
        }
      }
    } finally {
      ended = true;
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

  const request = get(`${server.url}/api/v1/export`, { headers: { authorization: `Bearer ${token}` } });
  request.on('error', () => {});
  const [response] = await once(request, 'response');
  const [first] = await once(response, 'data');
  response.pause();
  const rowBytes = first.length / first.toString().split('\r\n').length;
  // Without back-pressure it would never stand still.
  for (let before = -1; before !== rows; ) {
    before = rows;
    await setTimeout(200);
  }
  expect(rows * rowBytes).toBeLessThan(MOST_BYTES_AHEAD);
  expect(ended).toBe(false);
  response.destroy();
  await expect.poll(() => ended, { timeout: 20_000 }).toBe(true);
});
