import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import type { JobName } from '../../collector/lib/worker-pool.ts';
import type { AcceptedBatch } from '../../collector/storage/ingestion.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { openDatabase } from '../../collector/storage/sqlite/open-database.ts';
import type { ReaderJobs } from '../../collector/storage/sqlite/reader-jobs.ts';
import { createMaintenance, type SqliteMaintenance } from '../../collector/storage/sqlite/sqlite-maintenance.ts';
import { inlineStoreRunner, type StoreRunner } from '../../collector/storage/sqlite/store-thread.ts';
import type { Store } from '../../collector/storage/store.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { BELIEVED } from './believed-clock.ts';
import { run } from './command.ts';
import { browserId } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAY_MS = 86_400_000;
const [ANN, BOB] = [browserId(1), browserId(2)];

interface Both {
  readonly folder: string;
  /** The server: it takes samples in and rolls up. */
  readonly store: Store;
  /** The command's upkeep beside it; at `moment` of its next job of that name the server does something. */
  readonly maintenance: SqliteMaintenance;
  at(name: JobName<ReaderJobs>, moment: 'before' | 'after', act: () => Promise<unknown>): void;
}

async function both(): Promise<Both> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  const place = { file: join(folder, 'lastbyte.sqlite'), maxBytes: null };
  const database = openDatabase(place);
  const [reader, writer] = [inlineStoreRunner(place, 'reader'), inlineStoreRunner(place, 'writer')];
  onTestFinished(async () => {
    await Promise.all([reader.close(), writer.close()]);
    database.close();
    await store.close();
  });
  const acts = new Map<string, () => Promise<unknown>>();
  const actAt = async (key: string) => {
    const act = acts.get(key);
    acts.delete(key);
    await act?.();
  };
  const jobs: StoreRunner<'reader'> = {
    async run(name, input) {
      await actAt(`${name} before`);
      const output = await reader.run(name, input);
      await actAt(`${name} after`);
      return output;
    },
    close: async () => {},
  };
  const maintenance = createMaintenance(database, { jobs, writer }, { clock: () => NOW, watch: BELIEVED });
  return { folder, store, maintenance, at: (name, moment, act) => acts.set(`${name} ${moment}`, act) };
}

/** Samples of a browser, each on a host of its own. */
function batchOf(client: string, hosts: readonly string[], at = NOW): AcceptedBatch {
  const columns = toBatchColumns(hosts.map((host) => ({ ...PLAIN_SAMPLE, at, host })));
  return { id: randomUUID(), receivedAt: NOW, clockCorrection: 0, origin: { ...ORIGIN, client }, columns };
}

const send = (store: Store, client: string, hosts: readonly string[], at = NOW) =>
  store.samples.append([batchOf(client, hosts, at)]);

async function samplesByHost(store: Store): Promise<Record<string, number>> {
  const range = { from: NOW - 30 * DAY_MS, to: NOW + DAY_MS };
  const { cells } = await store.samples.aggregate({ range, filters: {}, by: ['host'] });
  return Object.fromEntries(cells.map(({ key, samples }) => [key.host, samples]));
}

test('a browser is erased while samples of others and its own arrive', async () => {
  const { store, maintenance, at } = await both();
  await send(store, ANN, ['a.test', 'b.test']);
  await send(store, BOB, ['a.test']);
  at('eraseFromDay', 'before', async () => {
    await send(store, BOB, ['a.test']);
    // In one chunk.
    await store.samples.append([batchOf(ANN, ['d.test']), batchOf(BOB, ['c.test'])]);
  });
  expect(await maintenance.erase({ client: ANN })).toEqual({ samples: 3, days: 1, quarantined: 0 });
  await store.maintenance.rollUp();
  expect(await samplesByHost(store)).toEqual({ 'a.test': 2, 'c.test': 1 });
  expect(await store.maintenance.check()).toEqual([]);
});

test('what the server rolls up while a browser is being erased stays counted', async () => {
  const { store, maintenance, at } = await both();
  await send(store, ANN, ['a.test']);
  await send(store, BOB, ['a.test']);
  at('eraseFromDay', 'after', async () => {
    await send(store, BOB, ['b.test']);
    await store.maintenance.rollUp();
  });
  expect(await maintenance.erase({ client: ANN })).toEqual({ samples: 1, days: 1, quarantined: 0 });
  expect(await samplesByHost(store)).toEqual({ 'a.test': 1, 'b.test': 1 });
  expect(await store.maintenance.check()).toEqual([]);
});

test('two processes that roll up at once count each sample once, under its own name', async () => {
  const { store, maintenance, at } = await both();
  await send(store, BOB, ['a.test', 'b.test']);
  at('rollUpPending', 'after', async () => {
    // New names of its own, which get the numbers that the other had in mind.
    await send(store, ANN, ['z.test', 'y.test']);
    await store.maintenance.rollUp();
    await send(store, ANN, ['c.test']);
  });
  await maintenance.rollUp();
  await maintenance.rollUp();
  expect(await samplesByHost(store)).toEqual({ 'a.test': 1, 'b.test': 1, 'c.test': 1, 'y.test': 1, 'z.test': 1 });
  expect(await store.maintenance.check()).toEqual([]);
});

test('two processes that compact one day store each sample once', async () => {
  const { store, maintenance, at } = await both();
  const yesterday = NOW - DAY_MS;
  for (const host of ['a.test', 'b.test', 'c.test']) await send(store, BOB, [host], yesterday);
  at('compactDay', 'after', () => store.maintenance.finalize(NOW));
  await maintenance.finalize(NOW);
  expect(await samplesByHost(store)).toEqual({ 'a.test': 1, 'b.test': 1, 'c.test': 1 });
  expect(await store.maintenance.check()).toEqual([]);
});

test('a check beside a server finds nothing wrong with samples that just came', async () => {
  const { store, maintenance, at } = await both();
  await send(store, BOB, ['a.test']);
  at('checkDay', 'before', () => send(store, ANN, ['b.test']));
  expect(await maintenance.check()).toEqual([]);
});

test('a backup ends though somebody goes on writing, and holds one moment', async () => {
  const { folder, store } = await both();
  const hosts = Array.from({ length: 3000 }, (_, number) => `${'long-'.repeat(30)}${number}.test`);
  // More than is copied in a moment.
  for (let number = 0; number < 20; number++) await send(store, BOB, hosts);
  const file = join(folder, 'copy.sqlite');
  let written = 0;
  let copied = false;
  const copying = run(['backup', file, '--data', folder]).finally(() => {
    copied = true;
  });
  // Bounded, so that a copy that starts over at each write fails instead of going on forever.
  while (!copied && written < 20_000) {
    await send(store, ANN, ['other.test']);
    written++;
    // SQLite's locks are not fair: a writer that leaves no gap may keep the command from opening the folder at all.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(copied).toBe(true);
  expect(await copying).toMatchObject({ code: 0, stderr: `Copied to ${file}.\n` });
  expect(written).toBeGreaterThan(2);
  const copy = new Database(file, { readonly: true });
  onTestFinished(() => {
    copy.close();
  });
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(copy.prepare('SELECT sum(n) FROM chunk WHERE n > 1').pluck().get()).toBe(60_000);
});
