import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { openLogCheckpoint } from '../../collector/storage/sqlite/checkpoint-log.ts';
import { inlineStoreRunner, type StoreRunner } from '../../collector/storage/sqlite/store-thread.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Commits that make a log of some hundred kilobytes. */
const COMMITS = 20;
const SAMPLES = Array.from({ length: 200 }, (_, index) => ({ ...PLAIN_SAMPLE, at: NOW - index }));

interface Parts {
  readonly store: Store;
  readonly file: string;
  readonly log: StoreRunner<'reader'>;
  readonly writer: StoreRunner<'writer'>;
}

async function parts(): Promise<Parts> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  const place = { file: join(folder, 'lastbyte.sqlite'), maxBytes: null };
  const [log, writer] = [inlineStoreRunner(place, 'reader'), inlineStoreRunner(place, 'writer')];
  onTestFinished(async () => {
    await Promise.all([log.close(), writer.close()]);
    await store.close();
  });
  return { store, file: place.file, log, writer };
}

/** Reads what is there now for as long as it is open. */
function snapshot(file: string): Database.Database {
  const database = new Database(file, { readonly: true });
  onTestFinished(() => void database.close());
  database.exec('BEGIN');
  chunksIn(database);
  return database;
}

const chunksIn = (database: Database.Database) => database.prepare('SELECT count(*) FROM chunk').pluck().get();

const logBytes = ({ file }: Parts) => statSync(`${file}-wal`).size;

async function commit({ store }: Parts): Promise<void> {
  for (let count = 0; count < COMMITS; count++) await fill(store, SAMPLES);
}

function checkpointOf({ file, log, writer }: Parts): () => Promise<void> {
  const { run, close } = openLogCheckpoint(file, { log, writer });
  onTestFinished(close);
  return run;
}

test('behind a checkpoint the log begins anew, also where the writer went on meanwhile', async () => {
  const all = await parts();
  const { store, file, log } = all;
  const writingOn: StoreRunner<'reader'> = {
    async run(name, input) {
      // What is written now is not copied, as it would not be behind a copy under way.
      const before = snapshot(file);
      await fill(store, SAMPLES);
      await log.run(name, input);
      before.close();
      return true as never;
    },
    close: async () => {},
  };
  const checkpoint = checkpointOf({ ...all, log: writingOn });
  await commit(all);
  await checkpoint();
  const before = logBytes(all);
  for (let round = 0; round < 3; round++) {
    await commit(all);
    await checkpoint();
  }
  // Each of them as large as the one before it, but for the pages of tables that grow.
  expect(logBytes(all)).toBeLessThan(1.5 * before);
  const range = { from: 0, to: NOW + 1 };
  const { samples } = await store.samples.aggregate({ range, filters: {}, by: [] });
  expect(samples).toBe(4 * (COMMITS + 1) * SAMPLES.length);
});

test('a reader is not disturbed, and the log begins anew once it has ended', async () => {
  const all = await parts();
  const checkpoint = checkpointOf(all);
  await commit(all);
  const reader = snapshot(all.file);
  await commit(all);
  const two = logBytes(all);
  await checkpoint();
  await commit(all);
  const three = logBytes(all);
  expect(three).toBeGreaterThan(1.2 * two);
  expect(chunksIn(reader)).toBe(COMMITS);

  reader.close();
  await checkpoint();
  await commit(all);
  expect(logBytes(all)).toBe(three);
  const { samples } = await all.store.samples.aggregate({ range: { from: 0, to: NOW + 1 }, filters: {}, by: [] });
  expect(samples).toBe(4 * COMMITS * SAMPLES.length);
});

test('where nothing comes the log is emptied, unless somebody reads', async () => {
  const all = await parts();
  const { empty, close } = openLogCheckpoint(all.file, all);
  onTestFinished(close);
  await commit(all);
  const reader = snapshot(all.file);
  await commit(all);
  expect(await empty()).toBe(false);
  expect(chunksIn(reader)).toBe(COMMITS);
  reader.close();
  expect(await empty()).toBe(true);
  expect(logBytes(all)).toBe(0);
  const { samples } = await all.store.samples.aggregate({ range: { from: 0, to: NOW + 1 }, filters: {}, by: [] });
  expect(samples).toBe(2 * COMMITS * SAMPLES.length);
});

test('a checkpoint that cannot be made says why', async () => {
  const all = await parts();
  const failing: StoreRunner<'reader'> = { run: () => Promise.reject(new Error('no room')), close: async () => {} };
  await expect(checkpointOf({ ...all, log: failing })()).rejects.toThrow('no room');
});

test('a slow export does not keep the log from being restarted, and gets each sample once', async () => {
  const all = await parts();
  const checkpoint = checkpointOf(all);
  // Blocks of 5,000, so that three quarters are still to be read when the others have been.
  const ats = Array.from({ length: 20 }, (_, n) => NOW - 30 * DAY + n * HOUR);
  for (const at of ats) {
    await fill(
      all.store,
      Array.from({ length: 1000 }, (_, n) => ({ ...PLAIN_SAMPLE, at: at + n })),
    );
  }
  const range = { from: NOW - 30 * DAY, to: NOW - 29 * DAY };
  const exported = all.store.samples.scan({ range, filters: {} })[Symbol.asyncIterator]();
  const first: readonly StoredSample[] = (await exported.next()).value;
  await commit(all);
  await checkpoint();
  const once = logBytes(all);
  for (let round = 0; round < 5; round++) {
    await commit(all);
    await checkpoint();
  }
  expect(logBytes(all)).toBeLessThan(1.5 * once);
  // Its chunks are merged into others meanwhile.
  await all.store.maintenance.finalize(NOW);
  const times = first.map(({ at }) => at);
  for await (const block of { [Symbol.asyncIterator]: () => exported }) times.push(...block.map(({ at }) => at));
  expect(times).toEqual(ats.flatMap((at) => Array.from({ length: 1000 }, (_, n) => at + n)));
});

test('a log that was large becomes small at its next restart, while more is written', async () => {
  const all = await parts();
  const checkpoint = checkpointOf(all);
  const reader = snapshot(all.file);
  while (logBytes(all) < 2 ** 25) await commit(all);
  reader.close();
  await checkpoint();
  await commit(all);
  expect(logBytes(all)).toBeLessThanOrEqual(2 ** 24);
});
