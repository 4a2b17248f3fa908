import { expect, onTestFinished, test } from 'vitest';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { startServer } from '../../collector/http/server.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A store whose pages take until nobody wants them. */
function slowStore(store: Store, parts: readonly number[], begun: () => void, ended: (reason: unknown) => void): Store {
  const read: Store['samples']['read'] = (reading, question, watch) => {
    if (reading.name !== 'pages') return store.samples.read(reading, question, watch);
    return new Promise((_, reject) => {
      const { signal } = watch ?? {};
      signal?.addEventListener('abort', () => {
        ended(signal.reason);
        reject(signal.reason);
      });
      for (const part of parts) watch?.progress?.(part);
      begun();
    });
  };
  return { ...store, samples: { ...store.samples, read } };
}

test.each([
  ['before anything is told', 'application/json', []],
  ['between two lines of progress', 'application/x-ndjson', [0.1]],
])('whoever goes away %s takes the question along', async (_when, accept, parts) => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const { stored, token } = makeToken('admin', '', Date.now());
  await store.tokens.create(stored);
  const begun = withResolvers<void>();
  const ended = withResolvers<unknown>();
  const server = await startServer(
    {
      store: slowStore(store, parts, begun.resolve, ended.resolve),
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
  const headers = { authorization: `Bearer ${token}`, accept };
  const asked = fetch(`${server.url}/api/v1/pages`, { headers, signal: person.signal });
  await begun.promise;
  // Who was told something reads on; nobody else has an answer yet.
  const waiting = parts.length === 0 ? asked : (await asked).text();
  person.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
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
