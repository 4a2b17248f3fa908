import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { IDS_A_SLICE } from '../../collector/storage/sqlite/prune.ts';
import { createMaintenance } from '../../collector/storage/sqlite/sqlite-maintenance.ts';
import { inlineStoreRunner, type StoreRunner } from '../../collector/storage/sqlite/store-thread.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { BELIEVED } from './believed-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAY = 86_400_000;
const RETENTION = { sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null };
/** Two whole slices and a part of a third. */
const IDS = 2.5 * IDS_A_SLICE;
/** Every third came just in time to be kept. */
const RECEIVED = [NOW - 8 * DAY - 1, NOW - 8 * DAY - 1, NOW - 8 * DAY];

/**
 * Upkeep over a store with many ids, whose own connection is the event loop's and may only read here. `jobs` tells what the
 * writer did, and how many ids each of its jobs left; `beforeSlice` ends before it forgets any.
 */
async function maintenanceOverIds(watch = BELIEVED, beforeSlice = async () => {}) {
  const folder = await temporaryFolder();
  await (await openStore({ folder, as: 'command', clock: () => NOW })).close();
  const place = { file: join(folder, 'lastbyte.sqlite'), maxBytes: null };
  const seed = new Database(place.file);
  const insert = seed.prepare('INSERT INTO batch VALUES (?, ?, 0)');
  seed.transaction(() => {
    for (let i = 0; i < IDS; i++) {
      const id = Buffer.alloc(16);
      id.writeUInt32BE(i * 1000);
      insert.run(id, RECEIVED[i % RECEIVED.length]);
    }
  })();
  seed.close();

  const readOnly = new Database(place.file, { readonly: true });
  const [reader, writing] = [inlineStoreRunner(place, 'reader'), inlineStoreRunner(place, 'writer')];
  onTestFinished(async () => {
    await Promise.all([reader.close(), writing.close()]);
    readOnly.close();
  });
  const count = readOnly.prepare<[], number>('SELECT count(*) FROM batch').pluck();
  const jobs: { readonly name: string; readonly left: number }[] = [];
  const writer: StoreRunner<'writer'> = {
    async run(name, input, given) {
      if (name === 'forgetBatchIds') await beforeSlice();
      const output = await writing.run(name, input, given);
      jobs.push({ name, left: count.get() as number });
      return output;
    },
    close: () => writing.close(),
  };
  const maintenance = createMaintenance(readOnly, { jobs: reader, writer }, { clock: () => NOW, watch });
  return { maintenance, jobs, left: () => count.get() as number, readOnly };
}

const slicesOf = (jobs: readonly { readonly name: string; readonly left: number }[]) =>
  jobs.filter(({ name }) => name === 'forgetBatchIds').map(({ left }) => left);

test('old ids of batches are forgotten a slice at a time, none of it over the connection of the event loop', async () => {
  const { maintenance, jobs, left, readOnly } = await maintenanceOverIds();
  await maintenance.prune(NOW, RETENTION);
  expect(left()).toBe(Math.floor(IDS / 3));
  expect(readOnly.prepare('SELECT DISTINCT received_at FROM batch').pluck().all()).toEqual([NOW - 8 * DAY]);
  let before = IDS;
  const slices = slicesOf(jobs);
  expect(slices).toHaveLength(3);
  for (const after of slices) {
    expect(before - after).toBeGreaterThan(0);
    expect(before - after).toBeLessThan(IDS_A_SLICE);
    before = after;
  }
  // Ids in whose order it goes on may be forgotten themselves, and what is left is looked at again.
  await maintenance.prune(NOW + 1, RETENTION);
  expect(left()).toBe(0);
});

test('a clock that jumps while ids are forgotten ends it', async () => {
  let asked = 0;
  const { maintenance, jobs, left } = await maintenanceOverIds({
    ...BELIEVED,
    status: () => ({ now: NOW, expected: ++asked <= 2 ? null : NOW - 400 * DAY }),
  });
  await maintenance.prune(NOW, RETENTION);
  expect(slicesOf(jobs)).toHaveLength(1);
  expect(left()).toBeGreaterThan(IDS - IDS_A_SLICE);
});

test('a server that stops does not wait until all ids were looked at', async () => {
  const { maintenance, jobs } = await maintenanceOverIds();
  await maintenance.prune(NOW, RETENTION, () => slicesOf(jobs).length === 2);
  expect(slicesOf(jobs)).toHaveLength(2);
});

test('a rollup does not wait until all ids were looked at', async () => {
  let rollUp = async () => {};
  const { maintenance, jobs } = await maintenanceOverIds(BELIEVED, () => rollUp());
  rollUp = () => maintenance.rollUp();
  await maintenance.prune(NOW, RETENTION);
  expect(slicesOf(jobs)).toHaveLength(3);
});
