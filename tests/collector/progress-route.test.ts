import { expect, test } from 'vitest';
import { QUESTIONS } from '../../collector/questions/registry.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { RequestOptions, Store } from '../../collector/storage/store.ts';
import { StoreError } from '../../collector/storage/store-error.ts';
import { PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const NDJSON = { accept: 'application/x-ndjson' };

/** A store that tells how far it is with every question before it answers it. */
async function tellingStore(parts: readonly number[], fail?: (watch: RequestOptions) => void): Promise<Store> {
  const store = await openStore({ folder: await temporaryFolder(), as: 'server' });
  await fill(store, [PLAIN_SAMPLE]);
  const read: Store['samples']['read'] = async (reading, question, watch = {}) => {
    if (QUESTIONS.every(({ name }) => name !== reading.name)) return store.samples.read(reading, question, watch);
    for (const part of parts) watch.progress?.(part);
    fail?.(watch);
    return store.samples.read(reading, question);
  };
  return { ...store, samples: { ...store.samples, read } };
}

function linesOf(body: string): Record<string, unknown>[] {
  expect(body.endsWith('\n')).toBe(true);
  return body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('who asks for it is told how far a question is, and then answered as everybody is', async () => {
  const app = await testApp({ store: await tellingStore([0.25, 0.66666, 1]) });
  for (const url of ['/api/v1/pages', '/api/v1/evidence', '/api/v1/report?view=scenarios']) {
    const plain = await app.send({ url, as: 'admin' });
    expect(plain.headers['content-type']).toMatch(/^application\/json/);
    const told = await app.send({ url, as: 'admin', headers: NDJSON });
    expect({ url, status: told.statusCode }).toEqual({ url, status: 200 });
    expect(told.headers['content-type']).toMatch(/^application\/x-ndjson/);
    expect(told.headers['cache-control']).toBe('no-store');
    expect(linesOf(told.body)).toEqual([
      { progress: 0.25 },
      { progress: 0.666 },
      { progress: 1 },
      { answer: plain.json() },
    ]);
  }
});

test('a question that is answered at once is one line', async () => {
  const app = await testApp({ store: await tellingStore([]) });
  const told = await app.send({ url: '/api/v1/summary', as: 'read', headers: NDJSON });
  const plain = await app.send({ url: '/api/v1/summary', as: 'read' });
  expect(linesOf(told.body)).toEqual([{ answer: plain.json() }]);
});

test('an error has a status of its own before the first line, and is the last line behind it', async () => {
  const fails = () => {
    throw new StoreError('store_failed', 'the disk is gone', 'Look for it.');
  };
  const early = await testApp({ store: await tellingStore([], fails) });
  const unread = await early.send({ url: '/api/v1/pages', as: 'admin', headers: NDJSON });
  expect(unread.statusCode).toBe(500);
  expect(unread.json().error.code).toBe('internal_error');
  const wrong = await early.send({ url: '/api/v1/pages?zzz=1', as: 'admin', headers: NDJSON });
  expect(wrong.statusCode).toBe(400);

  const late = await testApp({ store: await tellingStore([0.5], fails) });
  const { statusCode, body } = await late.send({ url: '/api/v1/pages', as: 'admin', headers: NDJSON });
  expect(statusCode).toBe(200);
  expect(linesOf(body)).toEqual([
    { progress: 0.5 },
    { error: { code: 'internal_error', message: expect.any(String), hint: expect.any(String) } },
  ]);
  // As any other failure, for whoever runs the server.
  expect(late.log.filter((line) => line.includes('request failed'))).toHaveLength(1);
});
