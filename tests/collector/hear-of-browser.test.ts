import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import type { SeenBrowser } from '../../collector/questions/fleet.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { ClientInfo } from '../../shared/sample/sample.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';
import { NOW, ORIGIN } from '../unit/wire/arbitrary-sample.ts';
import { STATUS } from '../unit/wire/status-fixture.ts';
import { heardBrowsers } from './read-fleet.ts';
import { testApp } from './test-app.ts';

const iso = (at: number) => new Date(at).toISOString();

interface Said {
  readonly at: number;
  readonly origin?: Partial<ClientInfo>;
  readonly status?: BrowserStatus;
  readonly clockCorrection?: number;
}

async function say(store: Store, { at, origin = {}, status, clockCorrection = 0 }: Said): Promise<SeenBrowser> {
  const batch = { id: randomUUID(), receivedAt: at, clockCorrection, columns: toBatchColumns([]) };
  await store.samples.append([{ ...batch, origin: { ...ORIGIN, ...origin }, ...(status && { status }) }]);
  const [browser] = await heardBrowsers(store, { from: 0, to: NOW * 2 });
  if (browser === undefined) throw new Error('No browser was heard.');
  return browser;
}

test('what says nothing new within ten seconds leaves a browser as it was, and after them it was heard again', async () => {
  const { store } = await testApp();
  await say(store, { at: NOW, status: STATUS });
  expect(await say(store, { at: NOW + 9_999 })).toMatchObject({ firstAt: iso(NOW), lastAt: iso(NOW) });
  expect(await say(store, { at: NOW + 10_000 })).toMatchObject({ firstAt: iso(NOW), lastAt: iso(NOW + 10_000) });
});

test.each<[string, Omit<Said, 'at'>, Partial<SeenBrowser>]>([
  ['its site', { origin: { site: 'Elsewhere' } }, { site: 'Elsewhere' }],
  ['its engine', { origin: { browser: 'firefox' } }, { browser: 'firefox' }],
  ['its version', { origin: { browserVersion: '999.0' } }, { browserVersion: '999.0' }],
  ["the extension's version", { origin: { extensionVersion: '9.9.9' } }, { extensionVersion: '9.9.9' }],
  ['its clock', { clockCorrection: 7000 }, { clockCorrection: 7000 }],
])('%s is what was said last, however soon', async (_, said, becomes) => {
  const { store } = await testApp();
  await say(store, { at: NOW });
  expect(await say(store, { at: NOW + 1, ...said })).toMatchObject({
    ...becomes,
    firstAt: iso(NOW),
    lastAt: iso(NOW + 1),
  });
  // What was said before it, and came later, is older news.
  expect(await say(store, { at: NOW })).toMatchObject({ ...becomes, lastAt: iso(NOW + 1) });
});

test('a status is what was said last, however soon, and silence keeps it', async () => {
  const { store } = await testApp();
  const said = { state: 'degraded', waiting: 3, dropped: 12, lost: 4 };
  await say(store, { at: NOW, status: { ...STATUS, state: 'collecting' } });
  expect(await say(store, { at: NOW + 1, status: STATUS })).toMatchObject(said);
  expect(await say(store, { at: NOW + 2000 })).toMatchObject(said);
});
