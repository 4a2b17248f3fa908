import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { runHere } from './command.ts';
import { browserId } from './fill-store.ts';
import { heardBrowsers } from './read-fleet.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ALL = { range: { from: 0, to: 8e15 }, filters: {} };
const STATUS = { probes: [] } as unknown as BrowserStatus;

async function openIn(folder: string): Promise<Store> {
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  onTestFinished(() => store.close());
  return store;
}

/** A batch of three samples, as it comes over the wire; the same for the same numbers. */
function body(key: string, browser: number, daysAgo: number) {
  const sentAt = NOW - daysAgo * DAY;
  const rows = [0, 1, 2].map((i) => ({
    ...PLAIN_SAMPLE,
    at: sentAt - i * HOUR,
    host: `${key}-${i}.example`,
    source: i === 2 ? 'probe-https-new' : 'page',
  }));
  const batch = encodeBatch({ ...ORIGIN, client: browserId(browser) }, randomUUID(), sentAt, rows);
  return { bytes: Buffer.from(JSON.stringify(batch)), receivedAt: sentAt, key };
}

/** Rolled up, days merged and sealed. */
async function settle(store: Store): Promise<void> {
  await store.maintenance.rollUp();
  await store.maintenance.finalize(NOW);
}

async function answers(store: Store) {
  const { dataHash, cells } = await store.samples.aggregate({ ...ALL, by: ['host', 'type'] });
  const exact = await store.samples.aggregate({ ...ALL, by: ['host'] }, { exact: true });
  const browsers = await heardBrowsers(store, ALL.range);
  // Distributions have methods, which are never the same.
  return JSON.stringify({ dataHash, cells, exact, browsers }, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

test.each([
  ['while they are pending', false, false],
  ['once they are rolled up, merged and sealed', true, false],
  ['after both', true, true],
])('what one key wrote goes, the other key’s data stay as if it had been alone: %s', async (_when, settled, late) => {
  const [mixed, alone] = [await openIn(await temporaryFolder()), await openIn(await temporaryFolder())];
  const ours = [3, 2, 1].flatMap((day) => [body('ours', 1, day), body('ours', 2, day)]);
  const theirs = [3, 2, 1].flatMap((day) => [body('theirs', 3, day), body('theirs', 4, day), body('theirs', 5, day)]);
  // Interleaved: every group commit holds rows of both.
  const groups = [0, 2, 4].map((i) => [ours[i], theirs[i], ours[i + 1], theirs[i + 1]].map((one) => one as never));
  for (const group of groups) await createIngestBodies(mixed.samples)(group);
  for (const one of ours) await createIngestBodies(alone.samples)([one]);
  if (settled) await settle(mixed);
  if (late) {
    const more = [body('ours', 1, 2), body('theirs', 3, 2)];
    await createIngestBodies(mixed.samples)(more);
    await createIngestBodies(alone.samples)(more.slice(0, 1));
  }
  await settle(alone);
  const told: number[] = [];
  const erased = await mixed.maintenance.erase({ key: 'theirs' }, { progress: (part) => told.push(part) });
  expect(erased.samples).toBe(late ? 21 : 18);
  expect(told[0]).toBe(0);
  expect(await mixed.maintenance.check()).toEqual([]);
  await settle(mixed);
  expect(await mixed.maintenance.check()).toEqual([]);
  expect(await answers(mixed)).toEqual(await answers(alone));
  expect(await mixed.maintenance.erase({ key: 'theirs' })).toEqual({ samples: 0, days: 0, quarantined: 0 });
  expect(await mixed.maintenance.erase({ key: '' })).toEqual({ samples: 0, days: 0, quarantined: 0 });
});

test('one browser under two keys loses what came with the one', async () => {
  const store = await openIn(await temporaryFolder());
  await createIngestBodies(store.samples)([body('ours', 1, 1), body('theirs', 1, 1)]);
  await settle(store);
  expect(await store.maintenance.erase({ key: 'theirs' })).toEqual({ samples: 3, days: 1, quarantined: 0 });
  const { cells } = await store.samples.aggregate({ ...ALL, by: ['host'] });
  expect(cells.map(({ key }) => key.host)).toEqual(['ours-0.example', 'ours-1.example', 'ours-2.example']);
});

test('ids of keys are in no export and in no samples that are read', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'server' });
  const app = await testApp({ store });
  const token = (await store.tokens.list()).find(({ role }) => role === 'ingest');
  const sent = await app.send({
    method: 'POST',
    url: '/api/v1/batches',
    as: 'ingest',
    payload: encodeBatch(ORIGIN, randomUUID(), NOW, [{ ...PLAIN_SAMPLE, at: NOW - HOUR }], STATUS),
  });
  expect(sent.statusCode).toBe(200);
  const id = token?.id ?? 'none';
  for (const format of ['csv', 'ndjson', 'har']) {
    const { statusCode, body: text } = await app.send({ url: `/api/v1/export?format=${format}`, as: 'admin' });
    expect(statusCode).toBe(200);
    expect(text).not.toContain(id);
  }
  const range = `from=${new Date(NOW - DAY).toISOString()}&to=${new Date(NOW + 1).toISOString()}`;
  expect((await app.send({ url: `/api/v1/fleet?${range}`, as: 'admin' })).body).not.toContain(id);
  for await (const block of store.samples.scan(ALL)) expect(JSON.stringify(block)).not.toContain(id);
  expect(await store.maintenance.erase({ key: id })).toEqual({ samples: 1, days: 1, quarantined: 0 });
  expect(await heardBrowsers(store, ALL.range)).toEqual([]);
});

test('browsers and probe runs carry the key, and what was stored before keys were has none', async () => {
  const folder = await temporaryFolder();
  const store = await openIn(folder);
  await createIngestBodies(store.samples)([body('ours', 1, 0), body('theirs', 2, 0)]);
  const database = new Database(join(folder, 'lastbyte.sqlite'), { readonly: true });
  expect(database.prepare('SELECT key FROM browser ORDER BY client').pluck().all()).toEqual(['ours', 'theirs']);
  database.close();
});

test('lastbyte erase takes a browser or a key, and says where the key is still valid', async () => {
  const folder = await temporaryFolder();
  const store = await openIn(folder);
  await store.tokens.create({ id: 'theirs', role: 'ingest', hash: 'h', createdAt: 0, label: '' });
  await createIngestBodies(store.samples)([body('ours', 1, 1), body('theirs', 2, 1)]);
  expect((await runHere(['erase', '--data', folder])).code).toBe(2);
  expect((await runHere(['erase', '--key', 'a', '--client', 'b', '--data', folder])).code).toBe(2);
  expect(await runHere(['erase', '--client', 'unknown-browser', '--data', folder])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/there is no browser unknown-browser\. .*popup/),
  });
  for (const key of ['', 'lb_ingest_abc']) {
    expect(await runHere(['erase', '--key', key, '--data', folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lastbyte token list'),
    });
  }
  const erased = await runHere(['erase', '--key', 'theirs', '--json', '--data', folder]);
  expect(JSON.parse(erased.stdout)).toEqual({ key: 'theirs', samples: 3, days: 1, quarantined: 0 });
  expect(erased.stderr).toContain('lastbyte token revoke theirs');
  // It exists, so it is no mistyped one.
  expect(await runHere(['erase', '--key', 'theirs', '--data', folder])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('There are no samples of that key.'),
  });
  expect(await runHere(['erase', '--key', 'mistyped', '--data', folder])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/there is no key mistyped, and no sample of one\. .*token list/),
  });
});
