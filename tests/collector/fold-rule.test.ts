import { expect, onTestFinished, test } from 'vitest';
import { FOLD_FROM_BROWSERS, MIN_GROUP_SIZE, viewerRuleFor } from '../../collector/questions/viewer-rule.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { StoreError } from '../../collector/storage/store-error.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Only the first two browsers are in it. */
const EARLY = { from: NOW - 3 * HOUR, to: NOW - 2 * HOUR };

async function open(folder: string): Promise<Store> {
  const store = await openStore({ folder, as: 'server' });
  onTestFinished(() => store.close());
  return store;
}

/** So many browsers this hour, two of which were there early as well. */
async function fleetOf(browsers: number): Promise<{ folder: string; store: Store }> {
  const folder = await temporaryFolder();
  const store = await open(folder);
  for (let browser = 0; browser < browsers; browser++) {
    const early = browser < 2 ? [{ ...PLAIN_SAMPLE, at: EARLY.from + 1 }] : [];
    await fill(store, [...early, { ...PLAIN_SAMPLE, at: NOW - 60_000 }], { client: browserId(browser) });
  }
  return { folder, store };
}

async function minGroupSize(store: Store, now: number, range = EARLY): Promise<number> {
  return (await viewerRuleFor(store, { role: 'read', now }, range)).minGroupSize;
}

test('a fleet that was once large stays folded in a quiet week and after the clock has jumped', async () => {
  const { store } = await fleetOf(FOLD_FROM_BROWSERS);
  for (const now of [NOW, NOW + 8 * DAY, NOW + 400 * DAY, NOW - 400 * DAY]) {
    expect([now, await minGroupSize(store, now)]).toEqual([now, MIN_GROUP_SIZE]);
  }
});

test('nobody needs to have asked while it was large, and it outlasts a restart and the samples', async () => {
  const { folder, store } = await fleetOf(FOLD_FROM_BROWSERS);
  await store.close();
  const later = await open(folder);
  expect(await minGroupSize(later, NOW + 8 * DAY)).toBe(MIN_GROUP_SIZE);
  for (let browser = 2; browser < FOLD_FROM_BROWSERS; browser++) {
    await later.maintenance.erase({ client: browserId(browser) });
  }
  await later.close();
  expect(await minGroupSize(await open(folder), NOW + 9 * DAY)).toBe(MIN_GROUP_SIZE);
});

test('a full disk does not stop the answer, and this process remembers', async () => {
  const { store } = await fleetOf(FOLD_FROM_BROWSERS);
  const full = {
    ...store,
    keyValues: { ...store.keyValues, write: () => Promise.reject(new StoreError('store_full', 'full', 'Make room.')) },
  };
  expect(await minGroupSize(full, NOW + 8 * DAY)).toBe(MIN_GROUP_SIZE);
});

test('only an admin turns it off; taking the setting back turns it on again', async () => {
  const { store } = await fleetOf(FOLD_FROM_BROWSERS);
  const write = (privacy: object, revision: number | null) =>
    store.settings.write({ version: 1, targets: [], ...privacy }, revision, NOW);
  expect(await minGroupSize(store, NOW)).toBe(MIN_GROUP_SIZE);
  await write({ privacy: { foldSmallGroups: false } }, null);
  expect(await minGroupSize(store, NOW)).toBe(0);
  await write({}, 1);
  expect(await minGroupSize(store, NOW + 8 * DAY)).toBe(MIN_GROUP_SIZE);
});

test('a fleet that takes new numbers on the first of a month does not count twice', async () => {
  const folder = await temporaryFolder();
  const store = await open(folder);
  const small = FOLD_FROM_BROWSERS - 8;
  const first = Date.UTC(new Date(NOW).getUTCFullYear(), new Date(NOW).getUTCMonth());
  for (let browser = 0; browser < small; browser++) {
    await fill(store, [{ ...PLAIN_SAMPLE, at: first - HOUR }], { client: browserId(browser) });
    await fill(store, [{ ...PLAIN_SAMPLE, at: first + 1 }], { client: browserId(100 + browser) });
  }
  const range = { from: first, to: first + HOUR };
  expect(await minGroupSize(store, first + 2 * HOUR, range)).toBe(0);
});
