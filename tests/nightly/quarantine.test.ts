import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { RESOLUTIONS } from '../../collector/storage/rollups/resolutions.ts';
import { createQuarantineWrites } from '../../collector/storage/sqlite/quarantine.ts';
import type { MaintenanceJob, Store } from '../../collector/storage/store.ts';
import type { StoreError } from '../../collector/storage/store-error.ts';
import { browserId, fill } from '../collector/fill-store.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { testApp } from '../collector/test-app.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const KEPT = { sampleDays: 30, hourDays: 90, dayDays: 700, monthDays: null };
const ALL = { range: { from: 0, to: 8e15 }, filters: {} };
const AT = NOW - 3 * DAY;
/** A server begins its upkeep after ten seconds. */
const PATIENT = { timeout: 120_000 };

interface Opened {
  readonly folder: string;
  readonly store: Store;
  readonly told: { code: string; job: MaintenanceJob }[];
}

async function opened(folder?: string, as: 'server' | 'command' = 'command'): Promise<Opened> {
  const place = folder ?? (await temporaryFolder());
  const told: Opened['told'] = [];
  const onUpkeepError = (error: unknown, job: MaintenanceJob) => told.push({ code: (error as StoreError).code, job });
  const store = await openStore({ folder: place, as, clock: () => NOW, onMaintenanceError: onUpkeepError });
  onTestFinished(() => store.close());
  return { folder: place, store, told };
}

/** Beside the store, as a disk or an older Lastbyte would. */
function change<T>({ folder }: Pick<Opened, 'folder'>, work: (database: Database.Database) => T): T {
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const rows = (n: number, at = AT) => Array.from({ length: n }, (_, i) => ({ ...PLAIN_SAMPLE, at: at + i }));

async function countSamples(store: Store): Promise<number> {
  let n = 0;
  for await (const block of store.samples.scan(ALL)) n += block.length;
  return n;
}

async function sitesOf(store: Store): Promise<Record<string, number>> {
  const { cells } = await store.samples.aggregate({ ...ALL, by: ['site'] });
  return Object.fromEntries(cells.map(({ key, samples }) => [key.site, samples]));
}

const lastChunk = 'SELECT max(id) AS id FROM chunk';
/** No chunk of any version, whose checksum does not say so. */
const SPOILT = `bytes = x'02ff', crc = ${crc32(Buffer.of(0x02, 0xff))}`;
function spoilLastChunk(opened: Pick<Opened, 'folder'>): void {
  change(opened, (database) => database.exec(`UPDATE chunk SET ${SPOILT} WHERE id = (${lastChunk})`));
}

test('a folder with a site that UTF-8 cannot hold recovers: rollups, erase, check and questions', async () => {
  const first = await opened();
  // As an older Lastbyte took it in.
  await fill(first.store, rows(3), { site: 'K\ud800ln', client: browserId(7) });
  await first.store.maintenance.rollUp();
  await fill(first.store, rows(2, AT + HOUR), { site: 'K\ud800ln', client: browserId(8) });
  await first.store.close();

  const { store, told } = await opened(first.folder);
  await fill(store, rows(5, AT + HOUR), { site: 'K\udfffln' });
  await store.maintenance.finalize(NOW);
  expect(await sitesOf(store)).toEqual({ 'K\ufffdln': 10 });
  expect(await store.maintenance.check()).toEqual([]);
  expect(await store.maintenance.erase({ client: browserId(7) })).toEqual({ samples: 3, days: 1, quarantined: 0 });
  expect(await store.maintenance.check()).toEqual([]);
  expect(await sitesOf(store)).toEqual({ 'K\ufffdln': 7 });
  expect(told).toEqual([]);
});

test('a pending chunk that cannot be read is set aside, and everything else goes on', async () => {
  const open = await opened();
  const { store, told } = open;
  await fill(store, rows(4));
  await fill(store, rows(6));
  spoilLastChunk(open);
  await fill(store, rows(5, AT + HOUR));

  await store.maintenance.rollUp();
  expect(change(open, (database) => database.prepare('SELECT count(*) FROM pending').pluck().get())).toBe(0);
  expect(await store.maintenance.quarantine()).toEqual([
    { id: 2, from: AT, to: AT + 5, samples: 6, since: NOW, reason: expect.stringMatching(/^RangeError: /) },
  ]);
  expect(told).toEqual([{ code: 'store_corrupt', job: 'quarantine' }]);
  await store.maintenance.finalize(NOW);
  expect(await countSamples(store)).toBe(9);
  expect(await sitesOf(store)).toEqual({ [ORIGIN.site]: 9 });
  expect(await store.maintenance.check()).toEqual([
    expect.stringMatching(/^6 samples from 2026-02-26T12:00:00.000Z on have been in quarantine since .* next start$/),
  ]);
  expect(await store.maintenance.erase({ client: ORIGIN.client })).toEqual({ samples: 9, days: 1, quarantined: 6 });
  // Retention ends it.
  await store.maintenance.prune(NOW + 40 * DAY, KEPT);
  expect(await store.maintenance.quarantine()).toEqual([]);
  expect(await store.maintenance.check()).toEqual([]);
});

test('what fails though every chunk can be read is the fault of none: nothing is set aside', async () => {
  const open = await opened();
  const { store } = open;
  for (let i = 0; i < 3; i++) await fill(store, rows(2, AT + i));
  change(open, (database) =>
    database.exec("CREATE TRIGGER broken BEFORE INSERT ON word BEGIN SELECT raise(ABORT, 'broken'); END"),
  );
  await expect(store.maintenance.rollUp()).rejects.toMatchObject({ code: 'store_failed' });
  expect(await store.maintenance.quarantine()).toEqual([]);
  expect(await countSamples(store)).toBe(6);

  // Beside it, what does not need a rollup is done.
  expect(await store.maintenance.erase({ client: ORIGIN.client })).toMatchObject({ samples: 6 });
  await store.maintenance.prune(NOW, KEPT);
  expect(await countSamples(store)).toBe(0);
});

test('check and erase work while nothing can be rolled up', async () => {
  const open = await opened();
  const { store } = open;
  await fill(store, rows(3), { client: browserId(1) });
  await store.maintenance.finalize(NOW);
  await fill(store, rows(4, AT + HOUR), { client: browserId(2), site: 'new' });
  change(open, (database) =>
    database.exec("CREATE TRIGGER broken BEFORE INSERT ON word BEGIN SELECT raise(ABORT, 'broken'); END"),
  );
  expect(await store.maintenance.check()).toEqual([expect.stringMatching(/^rollups are behind: .*broken/)]);
  expect(await store.maintenance.erase({ client: browserId(2) })).toMatchObject({ samples: 4 });
  expect(await countSamples(store)).toBe(3);
});

test('damage to samples that were rolled up costs their day its exact values, and no other day anything', async () => {
  const open = await opened();
  const { store } = open;
  await fill(store, rows(5, AT - DAY));
  await fill(store, rows(6, AT));
  await store.maintenance.rollUp();
  change(open, (database) => database.exec(`UPDATE chunk SET bytes = zeroblob(9) WHERE id = (${lastChunk})`));
  await fill(store, rows(7, AT + DAY));
  await store.maintenance.finalize(NOW);
  expect(await store.maintenance.quarantine()).toMatchObject([
    { samples: 6, reason: expect.stringContaining('damaged') },
  ]);
  const stale = change(open, (database) =>
    database.prepare('SELECT count(*) FROM bucket WHERE level = 2 AND stale_since IS NOT NULL').pluck().get(),
  );
  expect(stale).toBe(0);
  // The hours were made while it could be read.
  const { samples } = await store.samples.aggregate({
    ...ALL,
    range: { from: AT - 2 * DAY, to: AT + 2 * DAY },
    by: [],
  });
  expect(samples).toBe(18);
});

test('one day that cannot be finalized does not stop the others', async () => {
  const open = await opened();
  const { store } = open;
  for (const day of [0, 1, 2]) await fill(store, rows(5, AT + (day - 1) * DAY));
  await store.maintenance.rollUp();
  const number = Math.floor(AT / DAY);
  change(open, (database) =>
    database.exec(`CREATE TRIGGER broken BEFORE INSERT ON pack WHEN new.level > 0 AND new.bucket = ${number}
      BEGIN SELECT raise(ABORT, 'broken'); END`),
  );
  await expect(store.maintenance.finalize(NOW)).rejects.toMatchObject({ code: 'store_failed' });
  const stale = change(open, (database) =>
    database
      .prepare(
        `SELECT bucket FROM bucket WHERE stale_since IS NOT NULL AND bucket BETWEEN ${number - 1} AND ${number + 1}`,
      )
      .pluck()
      .all(),
  );
  expect(stale).toEqual([number]);
});

test.each([
  ['found before', true],
  ['that erasing itself meets', false],
])(
  'a server tries damage %s again at its start, and brings back nothing that was erased',
  PATIENT,
  async (_name, isKnown) => {
    const before = await opened();
    await fill(before.store, rows(4), { client: browserId(1) });
    await fill(before.store, [...rows(6)], { client: browserId(2) });
    await before.store.maintenance.rollUp();
    await fill(before.store, rows(3, AT + HOUR), { client: browserId(1) });
    await fill(before.store, rows(2, AT + HOUR), { client: browserId(2) });
    const saved = change(before, (database) => {
      const all = database
        .prepare<[], { id: number; bytes: Buffer; crc: number }>('SELECT id, bytes, crc FROM chunk')
        .all();
      database.exec(`UPDATE chunk SET ${SPOILT} WHERE id IN (1, 4)`);
      return all;
    });
    if (isKnown) await before.store.maintenance.rollUp();
    expect(await before.store.maintenance.erase({ client: browserId(2) })).toMatchObject({ samples: 6 });
    expect(await before.store.maintenance.quarantine()).toHaveLength(2);
    await before.store.close();

    // As a version would that can read them.
    change(before, (database) => {
      const restore = database.prepare('UPDATE quarantine SET bytes = @bytes, crc = @crc WHERE id = @id');
      for (const chunk of saved) restore.run(chunk);
    });
    const server = await opened(before.folder, 'server');
    const { store } = server;
    await expect.poll(() => store.maintenance.quarantine(), { timeout: 60_000, interval: 200 }).toEqual([]);
    await store.close();
    const after = await opened(before.folder);
    expect(await after.store.maintenance.check()).toEqual([]);
    expect(await sitesOf(after.store)).toEqual({ [ORIGIN.site]: 7 });
    expect(await countSamples(after.store)).toBe(7);
    expect(server.told).toEqual([]);
  },
);

/** A chunk that can be read again, and a day that was made without it meanwhile. */
async function readyForRelease(): Promise<Opened & { readonly id: number }> {
  const before = await opened();
  await fill(before.store, rows(4), { client: browserId(1) });
  await fill(before.store, rows(6), { client: browserId(2) });
  await before.store.maintenance.rollUp();
  const saved = change(before, (database) =>
    database
      .prepare<[], { id: number; bytes: Buffer; crc: number }>('SELECT id, bytes, crc FROM chunk WHERE id = 2')
      .get(),
  );
  spoilLastChunk(before);
  expect(await before.store.maintenance.erase({ client: browserId(1) })).toMatchObject({ samples: 4, quarantined: 6 });
  await before.store.close();
  change(before, (database) =>
    database.prepare('UPDATE quarantine SET bytes = @bytes, crc = @crc WHERE id = @id').run(saved),
  );
  return { ...before, id: 2 };
}

test('a crash between the release of a chunk and the rebuild of its hours loses no rebuild', PATIENT, async () => {
  const before = await readyForRelease();
  change(before, (database) => expect(createQuarantineWrites(database).release(before.id)).toBe(true));
  const server = await opened(before.folder, 'server');
  await expect.poll(() => sitesOf(server.store), { timeout: 60_000, interval: 200 }).toEqual({ [ORIGIN.site]: 6 });
  const noted = "SELECT value FROM kept WHERE name = 'rebuild'";
  const left = () => change(server, (database) => database.prepare(noted).pluck().get());
  await expect.poll(left, { timeout: 60_000, interval: 200 }).toBe('[]');
  await server.store.close();
  const after = await opened(before.folder);
  expect(await after.store.maintenance.check()).toEqual([]);
});

test('a day whose only chunk comes back from quarantine has its hours again', PATIENT, async () => {
  const before = await readyForRelease();
  const server = await opened(before.folder, 'server');
  await expect.poll(() => server.store.maintenance.quarantine(), { timeout: 60_000, interval: 200 }).toEqual([]);
  await expect.poll(() => sitesOf(server.store), { timeout: 60_000, interval: 200 }).toEqual({ [ORIGIN.site]: 6 });
});

test('repairing makes the rollups of days again that are not what their samples give, and leaves quarantine alone', async () => {
  const open = await opened();
  const { store } = open;
  for (const day of [0, 1, 2]) await fill(store, rows(5 + day, AT + (day - 1) * DAY));
  await store.maintenance.finalize(NOW);
  const expected = await sitesOf(store);
  expect(await store.maintenance.repair()).toEqual([]);
  const days = [-1, 0].map((day) => Math.floor(AT / DAY) + day);
  change(open, (database) => {
    database
      .prepare(`DELETE FROM pack WHERE level = ${RESOLUTIONS.hour} AND bucket BETWEEN ? AND ?`)
      .run((days[0] as number) * 24, (days[0] as number) * 24 + 23);
    database.prepare(`UPDATE bucket SET n = n + 1 WHERE level = ${RESOLUTIONS.day} AND bucket = ?`).run(days[1]);
  });
  expect(await store.maintenance.check()).toHaveLength(2);
  expect(await store.maintenance.repair()).toEqual(days.map((day) => new Date(day * DAY).toISOString().slice(0, 10)));
  expect(await store.maintenance.check()).toEqual([]);
  expect(await sitesOf(store)).toEqual(expected);

  await fill(store, rows(9, AT));
  await store.maintenance.rollUp();
  spoilLastChunk(open);
  await store.maintenance.finalize(NOW);
  const { length } = await store.maintenance.check();
  expect(await store.maintenance.repair()).toEqual([]);
  expect(await store.maintenance.check()).toHaveLength(length);
});

test('answers and metrics say how many samples are in quarantine', async () => {
  const open = await opened();
  const { store } = open;
  await fill(store, rows(4, NOW - 2 * HOUR));
  await fill(store, rows(6, NOW - HOUR));
  spoilLastChunk(open);
  await store.maintenance.rollUp();
  const app = await testApp({ store });
  const { method } = (await app.send({ url: '/api/v1/summary', as: 'read' })).json();
  expect(method.rules.at(-1)).toBe('6 samples from about this time can’t be read and are in quarantine.');
  const early = { from: new Date(NOW - 3 * HOUR).toISOString(), to: new Date(NOW - 2 * HOUR).toISOString() };
  const before = await app.send({ url: `/api/v1/summary?${new URLSearchParams(early)}`, as: 'read' });
  expect(before.json().method.rules.at(-1)).not.toContain('quarantine');
  const { body } = await app.send({ url: '/metrics', as: 'read' });
  expect(body).toMatch(/^lastbyte_quarantined_chunks 1$/m);
  expect(body).toMatch(/^lastbyte_quarantined_samples 6$/m);
});
