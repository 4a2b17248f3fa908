import { expect, test } from 'vitest';
import type { Sample } from '../../shared/sample/sample.ts';
import { sample } from '../unit/extension/fakes.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { testApp } from './test-app.ts';

const HOUR_MS = 3_600_000;
const SETTINGS = {
  version: 1,
  targets: [
    { id: 'app', name: 'App', match: ['https://app.test/*'] },
    { id: 'few', name: 'Few', match: ['https://few.test/*'] },
  ],
};

function took(ms: number, more: Partial<Sample>): Sample {
  const plain = sample(NOW - 2 * HOUR_MS);
  return {
    ...plain,
    times: { ...plain.times, wait: ms * 1000 - 1, receive: 1, ttfb: ms * 1000 - 1, ttlb: ms * 1000 },
    ...more,
  };
}

test('browsers are told what all wait, where five of them stand behind it, and 304 for an hour', async () => {
  const app = await testApp();
  await app.store.settings.write(SETTINGS, null, NOW);
  for (let browser = 0; browser < 6; browser++) {
    const origin = { client: browserId(browser) };
    await fill(app.store, [took(123 + browser, { target: 'app' }), took(40, { target: 'gone' })], origin);
    if (browser < 4) await fill(app.store, [took(50, { target: 'few' })], origin);
    // A probe and an image are nobody's waiting.
    await fill(
      app.store,
      [took(9, { target: 'app', source: 'probe-x' }), took(9, { target: 'app', type: 'image' })],
      origin,
    );
  }
  const get = (tag = '') =>
    app.send({ url: '/api/v1/extension-settings', as: 'ingest', headers: { 'if-none-match': tag } });

  const first = await get();
  expect(first.json().typical).toBeUndefined(); // nobody waits for the answer
  await expect
    .poll(async () => (await get()).json().typical, { timeout: 20_000 })
    .toEqual([
      // Of 123 … 128 the third is 125, to two figures.
      { target: 'app', type: 'document', medianMs: 130, browsers: 6 },
    ]);

  const told = await get();
  const tag = String(told.headers.etag);
  await fill(app.store, [took(9_000, { target: 'app' })], { client: browserId(9) });
  app.clock.now += HOUR_MS / 2;
  expect((await get(tag)).statusCode).toBe(304);
  app.clock.now += 48 * HOUR_MS; // all of it is over
  await expect.poll(async () => (await get()).json().typical, { timeout: 20_000 }).toBeUndefined();
});
