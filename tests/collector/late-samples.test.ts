import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAY = 86_400_000;
const COMMITS = 40;
const DAYS = [0, 1, 2, 3, 4, 5, 6];

async function opened(): Promise<{ store: Store; database: Database.Database }> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  return { store, database };
}

/** A sample of today and one of each of the six days before, in one batch and so in one chunk. */
async function sendWeek(store: Store): Promise<void> {
  const samples = DAYS.map((day) => ({ ...PLAIN_SAMPLE, at: NOW - day * DAY - 1_000 }));
  const bytes = Buffer.from(JSON.stringify(encodeBatch(ORIGIN, randomUUID(), NOW, samples)));
  await createIngestBodies(store.samples)([{ bytes, receivedAt: NOW, key: 'key' }]);
}

const chunks = (database: Database.Database) => database.prepare('SELECT count(*) FROM chunk').pluck().get();
const wideChunks = (database: Database.Database) =>
  database.prepare(`SELECT count(*) FROM chunk WHERE t0 / ${DAY} <> t1 / ${DAY}`).pluck().get();

async function exported(store: Store): Promise<number[]> {
  const times: number[] = [];
  for await (const columns of store.samples.scanColumns({ range: { from: 0, to: NOW + DAY }, filters: {} })) {
    times.push(...columns.at());
  }
  return times;
}

test('late samples lie in chunks of their own days as soon as they are rolled up', async () => {
  const { store, database } = await opened();
  for (let n = 0; n < COMMITS; n++) await sendWeek(store);
  expect([chunks(database), wideChunks(database)]).toEqual([COMMITS, COMMITS]);
  const before = await exported(store);
  await store.maintenance.rollUp();
  expect([chunks(database), wideChunks(database)]).toEqual([DAYS.length, 0]);
  expect(await store.maintenance.check()).toEqual([]);
  const times = await exported(store);
  expect(times).toHaveLength(COMMITS * DAYS.length);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times).toEqual(before);
});

test('merging a day leaves no chunk of several days, however many an older version left', async () => {
  const { store, database } = await opened();
  for (let n = 0; n < COMMITS; n++) await sendWeek(store);
  // As they were: rolled up and still in the chunks that they came in.
  database.exec('CREATE TEMP TABLE came AS SELECT * FROM chunk');
  await store.maintenance.rollUp();
  database.exec('DELETE FROM chunk; INSERT INTO chunk SELECT * FROM came');
  const before = await store.samples.aggregate({ range: { from: 0, to: NOW + DAY }, filters: {}, by: ['host'] });
  await store.maintenance.finalize(NOW);
  expect([chunks(database), wideChunks(database)]).toEqual([DAYS.length, 0]);
  expect(await store.maintenance.check()).toEqual([]);
  const after = await store.samples.aggregate({ range: { from: 0, to: NOW + DAY }, filters: {}, by: ['host'] });
  expect(after.dataHash).toBe(before.dataHash);
});
