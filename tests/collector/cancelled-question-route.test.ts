import { expect, onTestFinished, test } from 'vitest';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/store/open-store.ts';
import type { Store } from '../../collector/store/store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A store whose pages take until nobody wants them. */
function slowStore(store: Store, begun: () => void, ended: (reason: unknown) => void): Store {
  const compute: Store['samples']['compute'] = (name, question, signal) => {
    if (name !== 'pages') return store.samples.compute(name, question, signal);
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        ended(signal.reason);
        reject(signal.reason);
      });
      begun();
    });
  };
  return { ...store, samples: { ...store.samples, compute } };
}

test('whoever goes away takes the question along', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const { stored, token } = makeToken('admin', '', Date.now());
  await store.tokens.create(stored);
  const begun = withResolvers<void>();
  const ended = withResolvers<unknown>();
  const server = await startServer(
    {
      store: slowStore(store, begun.resolve, ended.resolve),
      clock: Date.now,
      version: '9.9.9',
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
  const person = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const asked = fetch(`${server.url}/api/v1/pages`, { headers, signal: person.signal });
  await begun.promise;
  person.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  expect(await ended.promise).toMatchObject({ code: 'cancelled' });
  const answered = await fetch(`${server.url}/api/v1/summary`, { headers });
  expect(answered.status).toBe(200);
});

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
