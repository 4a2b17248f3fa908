import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { migrate, STEPS } from '../../collector/storage/sqlite/migrations.ts';
import type { Store } from '../../collector/storage/store.ts';
import { CLOCK_STEPS } from '../../shared/vocabulary/client-fields.ts';
import { MAX_NEW_CLIENTS, OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId } from './fill-store.ts';
import { pruneAll } from './prune-all.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RANGE = { from: NOW - 3 * DAY, to: NOW + 1 };

async function opened(): Promise<{ store: Store; database: Database.Database }> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  const database = new Database(join(folder, 'lastbyte.sqlite'), { readonly: true });
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  return { store, database };
}

/** One sample of a browser, as it comes over the wire. */
function body(browser: number, { key = 'leaked', daysAgo = 1, clockStep = 100 } = {}) {
  const sentAt = NOW - daysAgo * DAY;
  const sample = { ...PLAIN_SAMPLE, at: sentAt - HOUR };
  const batch = encodeBatch({ ...ORIGIN, client: browserId(browser), clockStep }, randomUUID(), sentAt, [sample]);
  return { bytes: Buffer.from(JSON.stringify(batch)), receivedAt: sentAt, key };
}

const words = (database: Database.Database) => database.prepare('SELECT count(*) FROM word').pluck().get();
const numbered = (database: Database.Database) =>
  database.prepare('SELECT id, client FROM client ORDER BY id').all() as { id: number; client: string }[];

/** Every text and every blob there is, read as text: chunks hold the ids of their browsers in plain text until merged. */
function everything(database: Database.Database): string {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const values = tables.flatMap((table) => database.prepare(`SELECT * FROM ${table}`).raw().all().flat());
  return values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))).join('\n');
}

/** The day (UTC) that was so many days ago. */
function dayOf(daysAgo: number) {
  const from = (Math.floor(NOW / DAY) - daysAgo) * DAY;
  return { from, to: from + DAY };
}

async function browsers(store: Store, range = RANGE): Promise<number> {
  const { cells } = await store.samples.aggregate({ range, filters: {}, by: [] });
  return cells[0]?.browsers ?? 0;
}

test('invented browsers and clock steps are not words, which every reader keeps in memory', async () => {
  const { store, database } = await opened();
  await createIngestBodies(store.samples)([body(0)]);
  await store.maintenance.rollUp();
  const before = words(database) as number;
  await createIngestBodies(store.samples)(Array.from({ length: 300 }, (_, n) => body(n, { clockStep: 1_000 + 7 * n })));
  await store.maintenance.rollUp();
  expect((words(database) as number) - before).toBeLessThan(CLOCK_STEPS.length);
  expect(await browsers(store)).toBe(300);
  expect(await store.maintenance.check()).toEqual([]);
});

test('a browser is counted once, whether a rollup or a sample names it', async () => {
  const { store } = await opened();
  await createIngestBodies(store.samples)([body(1), body(2), body(1, { daysAgo: 2 })]);
  await store.maintenance.rollUp();
  await createIngestBodies(store.samples)([body(2), body(3), body(3, { daysAgo: 2 })]);
  expect(await browsers(store)).toBe(3);
  await store.maintenance.finalize(NOW);
  expect(await browsers(store)).toBe(3);
});

test('erasing what a key wrote erases the ids of its browsers everywhere, and no other ones', async () => {
  const { store, database } = await opened();
  await createIngestBodies(store.samples)([body(1, { key: 'ours' }), body(1), body(2), body(3)]);
  await store.maintenance.finalize(NOW);
  const before = numbered(database);
  expect(before.map(({ client }) => client)).toEqual([1, 2, 3].map(browserId));
  expect(await store.maintenance.erase({ key: 'leaked' })).toMatchObject({ samples: 3 });
  expect(numbered(database)).toEqual(before.slice(0, 1));
  expect(everything(database)).not.toContain(browserId(2));
  expect(everything(database)).not.toContain(browserId(3));
  expect(await store.maintenance.check()).toEqual([]);

  // A number that was given once is not another browser's later: rollups may still have it.
  await createIngestBodies(store.samples)([body(4)]);
  await store.maintenance.rollUp();
  expect(numbered(database).at(-1)).toEqual({ id: 4, client: browserId(4) });
  expect(await browsers(store)).toBe(2);
});

test('what is still waiting for its rollup keeps no id of an erased key either', async () => {
  const { store, database } = await opened();
  await createIngestBodies(store.samples)([body(1, { key: 'ours' }), body(2)]);
  expect(await store.maintenance.erase({ key: 'leaked' })).toMatchObject({ samples: 1 });
  expect(everything(database)).not.toContain(browserId(2));
});

test('an erased browser leaves its number, where rollups are older than the samples, and no id', async () => {
  const { store, database } = await opened();
  await createIngestBodies(store.samples)([body(1), body(2), body(1, { daysAgo: 2 })]);
  await store.maintenance.finalize(NOW);
  await pruneAll(store, NOW, { sampleDays: 1, hourDays: 90, dayDays: 731, monthDays: null });
  await store.maintenance.erase({ client: browserId(1) });
  expect(everything(database)).not.toContain(browserId(1));
  expect(await browsers(store, dayOf(2))).toBe(1);
});

test('ids go when their month and their samples have gone; the browsers stay counted', async () => {
  const { store, database } = await opened();
  await createIngestBodies(store.samples)([body(1, { daysAgo: 3 }), body(2, { daysAgo: 3 }), body(3)]);
  await store.maintenance.finalize(NOW);
  const keep = { sampleDays: 2, hourDays: 90, dayDays: 731, monthDays: null };
  await pruneAll(store, NOW, keep);
  // The same id may come again this month, and must be known as the same browser.
  expect(numbered(database)).toHaveLength(3);
  const counted = await browsers(store, dayOf(3));
  expect(counted).toBe(2);
  await pruneAll(store, NOW + 30 * DAY, { ...keep, sampleDays: 31 });
  expect(numbered(database).map(({ client }) => client)).toEqual([browserId(3)]);
  expect(await browsers(store, dayOf(3))).toBe(counted);
});

test('beyond its room for new browsers a network’s samples are kept, and the browsers behind them are one', async () => {
  const { store, database } = await opened();
  const [room, beyond] = [MAX_NEW_CLIENTS / 2, 20];
  await createIngestBodies(store.samples)([body(0)]);
  await store.maintenance.rollUp();
  for (let first = 1; first < room + beyond; first += 1_000) {
    const count = Math.min(1_000, room + beyond - first);
    await createIngestBodies(store.samples)(Array.from({ length: count }, (_, n) => body(first + n)));
  }
  // What has a number keeps it, another network has room, and so has the next day.
  await createIngestBodies(store.samples)([
    body(0),
    body(1),
    { ...body(900_001), network: 2 },
    body(900_002, { daysAgo: 0 }),
  ]);
  await store.maintenance.rollUp();
  const { cells } = await store.samples.aggregate({ range: RANGE, filters: {}, by: [] });
  expect(cells[0]?.samples).toBe(room + beyond + 4);
  // One is of the next month.
  expect(cells[0]).toMatchObject({ browsers: room + 2, browsersMonth: '2026-02' });
  expect(numbered(database).filter(({ client }) => client === OVERFLOW_NAME)).toHaveLength(1);
  const notKept = database.prepare("SELECT sum(n) FROM not_kept WHERE reason = 'browser_shared'").pluck();
  expect(notKept.get()).toBe(beyond);
});

test('numbers that an older version stored as words stay what packs call them by', async () => {
  const database = new Database(join(await temporaryFolder(), 'lastbyte.sqlite'));
  onTestFinished(() => void database.close());
  for (const step of STEPS.slice(0, 7)) database.exec(step);
  database.exec(`INSERT INTO word VALUES (1, 'host', 'a.test'), (2, 'client', 'browser-1'), (3, 'counter', 'samples'),
    (4, 'client', 'browser-2'), (5, 'client', '(erased 5)')`);
  database.exec('INSERT INTO bucket (level, bucket, n, a, b) VALUES (1, 480007, 3, 0, 0), (2, 20000, 3, 0, 0)');
  database.pragma('user_version = 7');
  migrate(database, () => {});
  expect(database.prepare('SELECT id, client, last_day AS day FROM client ORDER BY id').all()).toEqual([
    { id: 2, client: 'browser-1', day: 20_000 },
    { id: 4, client: 'browser-2', day: 20_000 },
  ]);
  expect(database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'client'").pluck().get()).toBe(5);
  expect(database.prepare('SELECT id FROM word ORDER BY id').pluck().all()).toEqual([1, 3]);
});
