import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClickHouseJobs } from '../../collector/storage/clickhouse/clickhouse-jobs.ts';
import { type ClickHouse, openClickHouse } from '../../collector/storage/clickhouse/open-clickhouse.ts';
import { eraseSamples } from '../../collector/storage/clickhouse/remove-samples.ts';
import { repairSamples } from '../../collector/storage/clickhouse/sample-faults.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { bucketAt, RESOLUTIONS } from '../../collector/storage/rollups/resolutions.ts';
import { inlineStoreRunner } from '../../collector/storage/sqlite/store-thread.ts';
import type { Store } from '../../collector/storage/store.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { IS_SHORT } from '../rounds.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type ClickHouseServer, startClickHouse } from './clickhouse-server.ts';
import { browserId, fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ALL = { range: { from: 0, to: 8e15 }, filters: {}, by: [] };
const ROWS = 40;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SYNC = 'SETTINGS mutations_sync = 2';
/** It takes minutes. */
const absent = IS_SHORT ? 'run npm run test:nightly' : chdbAbsent();

describe.skipIf(absent !== null)('expiry, erasure and loss of samples in ClickHouse', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server?.stop());

  const append = (store: Store) =>
    fill(
      store,
      Array.from({ length: ROWS }, (_, row) => ({ ...PLAIN_SAMPLE, at: NOW - row })),
    );
  const samplesIn = async (store: Store) => (await store.samples.aggregate(ALL)).samples;

  test('a day stays whole while its hours expire, and a month while its days do', async () => {
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', samples: server.address('expiring'), clock: () => NOW });
    // 19 hours of 20 January, from five o'clock on, and two whole days.
    const hours = Array.from({ length: 19 + 48 }, (_, hour) => Date.UTC(2026, 0, 20, 5 + hour));
    await fill(
      store,
      hours.map((at) => ({ ...PLAIN_SAMPLE, at })),
    );
    await store.maintenance.finalize(NOW);
    const month = { range: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) }, filters: {}, by: [] };
    const days = { ...month, range: { from: Date.UTC(2026, 0, 20), to: Date.UTC(2026, 0, 23) } };
    const answer = async (query: typeof month) => {
      const { samples, dataHash } = await store.samples.aggregate(query);
      return { samples, dataHash };
    };
    const [ofMonth, ofDays] = [await answer(month), await answer(days)];
    expect(ofMonth.samples).toBe(hours.length);
    const prune = async (dayDays: number) => {
      await store.maintenance.prune(NOW, { sampleDays: 1, hourDays: 1, dayDays, monthDays: null });
      await store.maintenance.finalize(NOW);
    };
    for (let pass = 0; pass < 3; pass++) {
      await prune(700);
      expect([await answer(month), await answer(days)]).toEqual([ofMonth, ofDays]);
    }
    for (let pass = 0; pass < 2; pass++) {
      await prune(1);
      expect(await answer(month)).toEqual(ofMonth);
    }
    expect(await store.maintenance.check()).toEqual([]);
    await store.close();
  });

  test('hours of few samples get a rollup only when these expire, and are answered as before', async () => {
    const folder = await temporaryFolder();
    const samples = server.address('hours');
    const store = await openStore({ folder, as: 'command', samples, clock: () => NOW });
    const start = Date.UTC(2026, 0, 20);
    const hours = Array.from({ length: 48 }, (_, hour) => start + hour * HOUR_MS);
    await fill(
      store,
      hours.flatMap((at, hour) => [1, 2, 3].map((row) => ({ ...PLAIN_SAMPLE, at: at + row * 1000 + hour }))),
    );
    await store.maintenance.finalize(NOW);
    const hourly = () =>
      server.rows('hours', 'SELECT toInt32(bucket) FROM bucket WHERE resolution = 1 ORDER BY bucket');
    expect(await hourly()).toEqual([]);
    const query = {
      range: { from: start + 3 * HOUR_MS, to: start + 29 * HOUR_MS },
      filters: {},
      by: ['host'] as const,
    };
    const answer = async () => {
      const { samples, dataHash, cells } = await store.samples.aggregate(query);
      return { samples, dataHash, ttlb: cells.map(({ times }) => times.ttlb.sum) };
    };
    const before = await answer();
    expect(before.samples).toBe(3 * 26);
    await store.maintenance.prune(NOW, { sampleDays: 1, hourDays: 9999, dayDays: 9999, monthDays: null });
    expect(await server.rows('hours', 'SELECT toInt32(count()) FROM sample')).toEqual([[3 * 24]]);
    expect(await hourly()).toEqual(hours.slice(0, 24).map((at) => [at / HOUR_MS]));
    expect(await answer()).toEqual(before);
    expect(await store.maintenance.check()).toEqual([]);
    await store.close();
  });

  test('samples that wait keep their day from expiring; those of a day that has expired are counted, not kept', async () => {
    const samples = server.address('late');
    const folder = await temporaryFolder();
    const open = (own: string) => openStore({ folder: own, as: 'command', samples, clock: () => NOW });
    const [store, cutOff] = [await open(await temporaryFolder()), await open(folder)];
    const day = Date.UTC(2026, 0, 20);
    const rows = [0, 1, 2, 24, 25].map((hour) => ({ ...PLAIN_SAMPLE, at: day + hour * HOUR_MS }));
    await fill(store, rows);
    await store.maintenance.finalize(NOW);
    const retention = { sampleDays: 8, hourDays: 9999, dayDays: 9999, monthDays: null };
    const kept = () => server.rows('late', 'SELECT toInt32(count()) FROM sample');
    const query = { range: { from: day, to: day + 2 * DAY_MS }, filters: {}, by: [] };

    await fill(store, [{ ...PLAIN_SAMPLE, at: day + 5 }]);
    await store.maintenance.prune(NOW, retention);
    expect(await kept()).toEqual([[5]]);
    await store.maintenance.finalize(NOW);
    const before = await store.samples.aggregate(query);
    expect(before.samples).toBe(6);
    await store.maintenance.prune(NOW, retention);
    expect(await kept()).toEqual([[2]]);

    await fill(
      cutOff,
      [5, 6, 7, 25 * HOUR_MS].map((after) => ({ ...PLAIN_SAMPLE, at: day + after })),
    );
    await cutOff.maintenance.rollUp();
    await store.maintenance.finalize(NOW);
    expect((await store.samples.aggregate(query)).samples).toBe(7);
    await store.maintenance.prune(NOW, retention);
    expect(await kept()).toEqual([[3]]);
    expect((await store.samples.aggregate(query)).samples).toBe(7);
    const expired = { range: { from: day, to: day + DAY_MS }, filters: {}, by: [] };
    const clickHouse = openClickHouse(samples, () => {});
    // As if that collector had read what has expired just before this one wrote it.
    await clickHouse.run(`INSERT INTO arrival VALUES (${day / HOUR_MS}, 'late', 1, 2, 3)`);
    clickHouse.close();
    await store.maintenance.finalize(NOW);
    expect((await store.samples.aggregate(expired)).samples).toBe(4);
    const database = new Database(join(folder, 'lastbyte.sqlite'));
    expect(database.prepare('SELECT reason, n FROM not_kept').all()).toEqual([{ reason: 'samples_expired', n: 3 }]);
    database.close();
    expect(await store.maintenance.check()).toEqual([]);
    for (const one of [store, cutOff]) await one.close();
  });

  test('an erasure that is cut off after any of its statements is completed by the next one', async () => {
    const folder = await temporaryFolder();
    const samples = server.address('erased');
    const store = await openStore({ folder, as: 'command', samples, clock: () => NOW });
    await append(store);
    await store.maintenance.rollUp();
    const ann = { client: browserId(9) };
    const clickHouse = openClickHouse(samples, () => {});
    let isCut = true;
    for (let left = 0; isCut; left++) {
      await fill(store, [{ ...PLAIN_SAMPLE, at: NOW - left }], ann);
      await store.maintenance.rollUp();
      isCut = false;
      let statements = left;
      const cutting: ClickHouse = {
        ...clickHouse,
        async run(sql, params) {
          isCut = statements-- === 0;
          if (isCut) throw new Error('cut off');
          await clickHouse.run(sql, params);
        },
      };
      try {
        await eraseSamples(cutting, ann);
      } catch (error) {
        expect(error).toMatchObject({ message: 'cut off' });
      }
      await store.maintenance.erase(ann);
      expect(await samplesIn(store)).toBe(ROWS);
      expect(await store.maintenance.check()).toEqual([]);
    }
    clickHouse.close();
    await store.close();
  });

  test('what is sent of a browser while it is erased goes too, and hours have what has arrived', async () => {
    const ann = { client: browserId(7) };
    const samples = server.address('meanwhile');
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', samples });
    await append(store);
    await fill(store, [{ ...PLAIN_SAMPLE, at: NOW }], ann);
    await store.maintenance.rollUp();
    // The server beside the command.
    const location = { file: join(folder, 'lastbyte.sqlite'), maxBytes: null, clickHouse: samples };
    await fill(
      store,
      [
        { ...PLAIN_SAMPLE, at: NOW - 1 },
        { ...PLAIN_SAMPLE, at: NOW - 30 * HOUR_MS },
      ],
      ann,
    );
    const writer = inlineStoreRunner(location, 'writer');
    const [block] = await writer.run('nextBlocks', []);
    if (block === undefined) throw new Error('nothing waits');
    const jobs = openClickHouseJobs(location, { checkpoint: () => {}, progress: () => {} });
    const clickHouse = openClickHouse(samples, () => {});
    const beside: ClickHouse = {
      ...clickHouse,
      async run(sql, params) {
        if (sql.startsWith('ALTER TABLE sample DELETE')) await jobs.forward(block, null, []);
        await clickHouse.run(sql, params);
      },
    };
    await eraseSamples(beside, ann);
    await writer.run('forwarded', [block.last, 0, NOW]);
    expect(await samplesIn(store)).toBe(ROWS);
    expect(await store.maintenance.check()).toEqual([]);
    jobs.close();
    clickHouse.close();
    await writer.close();
    await store.close();
  });

  test('samples that were lost are reported, and keep theirs from expiring until what is left is rolled up', async () => {
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', samples: server.address('missing') });
    const days = [NOW - 3 * DAY_MS, NOW - 3 * DAY_MS + HOUR_MS, NOW];
    for (const at of days)
      await fill(store, [
        { ...PLAIN_SAMPLE, at },
        { ...PLAIN_SAMPLE, at: at + 1 },
      ]);
    await store.maintenance.finalize(NOW);
    const clickHouse = openClickHouse(server.address('missing'), () => {});
    // One of an hour, and all of another one.
    const [first = 0, second = 0] = days;
    await clickHouse.run(`ALTER TABLE sample DELETE WHERE at = ${first} OR at IN (${second}, ${second + 1}) ${SYNC}`);
    expect(await store.maintenance.check()).toHaveLength(2);
    const retention = { sampleDays: 1, hourDays: 60, dayDays: 90, monthDays: null };
    await expect(store.maintenance.prune(NOW, retention)).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(await store.maintenance.keptFrom()).toBe(0);

    expect(await repairSamples(clickHouse, 1)).toEqual([new Date(first).toISOString().slice(0, 10)]);
    await store.maintenance.finalize(NOW);
    expect(await store.maintenance.check()).toEqual([]);
    expect(await samplesIn(store)).toBe(3);
    await store.maintenance.prune(NOW, retention);
    expect(await store.maintenance.keptFrom()).toBeGreaterThan(second);
    expect(await samplesIn(store)).toBe(3);
    clickHouse.close();
    await store.close();
  });

  test('rollups that were lost are reported, go into no coarser one, and are written again from what there is', async () => {
    const samples = server.address('rollups');
    const days = [Date.UTC(2026, 0, 20), Date.UTC(2026, 0, 21)];
    let now = Date.UTC(2026, 0, 22);
    const store = await openStore({ folder: await temporaryFolder(), as: 'command', samples, clock: () => now });
    for (const at of days) await fill(store, [{ ...PLAIN_SAMPLE, at }]);
    await store.maintenance.finalize(now);
    const clickHouse = openClickHouse(samples, () => {});
    const lost = `resolution = ${RESOLUTIONS.day} AND bucket = ${bucketAt('day', days[0] ?? 0)}`;
    await clickHouse.run(`ALTER TABLE rollup_count DELETE WHERE ${lost} ${SYNC}`);
    expect(await store.maintenance.check()).toEqual([
      'the day from 2026-01-20T00:00:00.000Z has 1 samples, its rollup 0',
    ]);
    now = NOW;
    const months = `SELECT toUInt8(count()) FROM bucket WHERE resolution = ${RESOLUTIONS.month}`;
    await store.maintenance.finalize(NOW);
    expect(await server.rows('rollups', months)).toEqual([[0]]);

    expect(await repairSamples(clickHouse, 1)).toEqual(['2026-01-20']);
    await store.maintenance.finalize(NOW);
    expect(await store.maintenance.check()).toEqual([]);
    expect(await server.rows('rollups', months)).toEqual([[1]]);
    expect(await samplesIn(store)).toBe(2);
    clickHouse.close();
    await store.close();
  });
});
