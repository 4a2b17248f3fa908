import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ClickHouseAddress } from '../../collector/storage/clickhouse/clickhouse-address.ts';
import { createClickHouseRanges } from '../../collector/storage/clickhouse/clickhouse-ranges.ts';
import { ALL_COLUMNS } from '../../collector/storage/clickhouse/needed-columns.ts';
import { type ClickHouse, openClickHouse } from '../../collector/storage/clickhouse/open-clickhouse.ts';
import { createReadCells } from '../../collector/storage/clickhouse/read-cells.ts';
import { readBuckets } from '../../collector/storage/clickhouse/stored-buckets.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { selectCells } from '../../collector/storage/passes/cell-selection.ts';
import { RESOLUTIONS } from '../../collector/storage/rollups/resolutions.ts';
import { TIME_METRICS } from '../../collector/storage/rollups/time-metrics.ts';
import type { SqliteMaintenance } from '../../collector/storage/sqlite/sqlite-maintenance.ts';
import { inlineStoreRunner } from '../../collector/storage/sqlite/store-thread.ts';
import type { Store } from '../../collector/storage/store.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { IS_SHORT } from '../rounds.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type ClickHouseServer, startClickHouse } from './clickhouse-server.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ALL = { range: { from: 0, to: 8e15 }, filters: {}, by: [] };
const ROWS = 40;
const AWAY = { code: 'samples_unreachable' };
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STORE_THREAD = pathToFileURL(join(import.meta.dirname, '../../dist/store-thread.mjs'));
const absent = chdbAbsent();

describe.skipIf(absent !== null)('forwarding to ClickHouse', () => {
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

  /** Sends the first block of a data folder, and leaves it there. */
  async function forwardFirst(folder: string, samples: ClickHouseAddress) {
    const location = { file: join(folder, 'lastbyte.sqlite'), maxBytes: null, clickHouse: samples };
    const [remote, writer] = [inlineStoreRunner(location, 'remote'), inlineStoreRunner(location, 'writer')];
    await remote.run('migrate', []);
    const [block] = await writer.run('nextBlocks', []);
    if (block === undefined) throw new Error('nothing waits');
    await remote.run('forward', [block, null, []]);
    return { remote, writer, block };
  }

  test('while ClickHouse is away, batches are accepted and wait; afterwards each is there once', async () => {
    const folder = await temporaryFolder();
    const address = server.address('away');
    const away = { ...address, url: 'http://127.0.0.1:1' };
    const alone = await openStore({ folder, as: 'command', samples: away });
    await append(alone);
    await append(alone);
    await expect(alone.maintenance.rollUp()).rejects.toMatchObject(AWAY);
    await expect(samplesIn(alone)).rejects.toMatchObject(AWAY);
    await alone.ready();
    // However long it is away: what waits is not removed before it is in the rollups.
    const retention = { sampleDays: 1, hourDays: 60, dayDays: 90, monthDays: null };
    await expect(alone.maintenance.prune(NOW + 40 * DAY_MS, retention)).rejects.toMatchObject(AWAY);
    expect(await alone.maintenance.backlog()).toMatchObject({ samples: 2 * ROWS, oldest: NOW - ROWS + 1 });
    await alone.close();

    const store = await openStore({ folder, as: 'command', samples: address });
    await store.maintenance.rollUp();
    expect(await store.maintenance.backlog()).toEqual({ samples: 0, bytes: 0, oldest: null });
    expect(await samplesIn(store)).toBe(2 * ROWS);
    await store.close();
  });

  test('a data folder remembers where its samples are', async () => {
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'server', samples: server.address('remembered') });
    await append(store);
    await store.maintenance.rollUp();
    await store.close();
    const command = await openStore({ folder, as: 'command' });
    expect(await samplesIn(command)).toBe(ROWS);
    const { client } = ORIGIN;
    expect(await command.maintenance.erase({ client })).toMatchObject({ samples: ROWS });
    expect(await samplesIn(command)).toBe(0);
    await command.close();
    await expect(openStore({ folder, as: 'server' })).rejects.toMatchObject({
      code: 'data_folder_unusable',
      hint: expect.stringContaining('--samples'),
    });
    await expect(openStore({ folder, as: 'server', samples: server.address('mistyped') })).rejects.toMatchObject({
      code: 'data_folder_unusable',
      message: expect.stringContaining('lastbyte_remembered'),
    });
  });

  test('until samples are sent, the address may be corrected; later the host may still move', async () => {
    const folder = await temporaryFolder();
    const open = (samples: ClickHouseAddress) => openStore({ folder, as: 'server', samples });
    const wrong = await open({ ...server.address('mistyped'), url: 'http://127.0.0.1:1' });
    await append(wrong);
    await wrong.close();
    const store = await open(server.address('corrected'));
    await store.maintenance.rollUp();
    expect(await samplesIn(store)).toBe(ROWS);
    await store.close();
    const moved = { ...server.address('corrected'), url: 'http://127.0.0.1:1' };
    await (await open(moved)).close();
  });

  test('tables that exist are used as they are, but not those of all shards', async () => {
    const clickHouse = openClickHouse(server.address('own'), () => {});
    await clickHouse.run(
      'CREATE TABLE client (client String, lastDay UInt32, number UInt64 MATERIALIZED cityHash64(client)) ENGINE = MergeTree ORDER BY client',
    );
    clickHouse.close();
    const store = await openStore({ folder: await temporaryFolder(), as: 'command', samples: server.address('own') });
    await append(store);
    expect(await store.maintenance.erase({ client: ORIGIN.client })).toMatchObject({ samples: ROWS });
    const engine = "SELECT engine FROM system.tables WHERE database = 'lastbyte_own' AND name = 'client'";
    expect(await server.rows('own', engine)).toEqual([['MergeTree']]);
    await store.close();

    await server.administer(
      'own',
      'CREATE OR REPLACE TABLE sample AS sample ENGINE = Distributed(spread, lastbyte_own, sample_local)',
    );
    const refused = await openStore({ folder: await temporaryFolder(), as: 'command', samples: server.address('own') });
    await append(refused);
    await expect(refused.maintenance.rollUp()).rejects.toMatchObject({
      code: 'data_folder_unusable',
      message: expect.stringContaining('lastbyte_own'),
    });
    await refused.close();
  });

  test('a block whose answer was lost is sent again, with what it had, and counts once', async () => {
    const folder = await temporaryFolder();
    const samples = server.address('lost');
    const store = await openStore({ folder, as: 'command', samples });
    await append(store);
    const { remote, writer, block } = await forwardFirst(folder, samples);
    // Cut off before it could be removed, and more arrives.
    await append(store);
    expect(await writer.run('nextBlocks', [])).toEqual([block]);
    await store.maintenance.rollUp();
    // The other process has it still to do.
    expect(await remote.run('forward', [block, null, []])).toBe(0);
    expect(await samplesIn(store)).toBe(2 * ROWS);
    expect(await store.maintenance.check()).toEqual([]);
    await Promise.all([remote, writer].map((runner) => runner.close()));
    await store.close();
  });

  test('a block that is sent again after ClickHouse has forgotten its token counts once', async () => {
    const samples = server.address('forgotten');
    const [late, other] = [await temporaryFolder(), await temporaryFolder()];
    const store = await openStore({ folder: late, as: 'command', samples });
    await append(store);
    const location = { file: join(late, 'lastbyte.sqlite'), maxBytes: null, clickHouse: samples };
    const [remote, writer] = [inlineStoreRunner(location, 'remote'), inlineStoreRunner(location, 'writer')];
    await remote.run('migrate', []);
    await server.administer('forgotten', 'ALTER TABLE sample MODIFY SETTING non_replicated_deduplication_window = 1');
    const [block] = await writer.run('nextBlocks', []);
    if (block === undefined) throw new Error('nothing waits');
    await remote.run('forward', [block, null, []]);
    // Before it could be removed, other blocks arrive.
    const others = await openStore({ folder: other, as: 'command', samples });
    for (let blocks = 0; blocks < 2; blocks++) {
      await append(others);
      await others.maintenance.rollUp();
    }
    await store.maintenance.rollUp();
    expect(await samplesIn(store)).toBe(3 * ROWS);
    expect(await store.maintenance.check()).toEqual([]);
    await Promise.all([remote, writer, store, others].map((one) => one.close()));
  });

  test('a block of two months is noted in both, wherever it was cut off', async () => {
    const samples = server.address('months');
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', samples });
    const ats = [Date.UTC(2026, 0, 1), NOW];
    await fill(
      store,
      ats.map((at) => ({ ...PLAIN_SAMPLE, at })),
    );
    const { remote, writer } = await forwardFirst(folder, samples);
    // As if it had been cut off before the second.
    const clickHouse = openClickHouse(samples, () => {});
    await clickHouse.run(`ALTER TABLE arrival DELETE WHERE hour = ${NOW / HOUR_MS} SETTINGS mutations_sync = 2`);
    await store.maintenance.rollUp();
    expect(await store.maintenance.check()).toEqual([]);
    expect(await samplesIn(store)).toBe(2);
    clickHouse.close();
    await Promise.all([remote, writer, store].map((one) => one.close()));
  });

  test('what waits when a backup is made counts once, though both folders send it', async () => {
    const samples = server.address('restored');
    const store = await openStore({ folder: await temporaryFolder(), as: 'command', samples });
    await append(store);
    await append(store);
    const folder = await temporaryFolder();
    await store.maintenance.backup(join(folder, 'lastbyte.sqlite'));
    await append(store);
    await store.maintenance.rollUp();
    await store.close();
    const restored = await openStore({ folder, as: 'command', samples });
    expect(await restored.maintenance.backlog()).toMatchObject({ samples: 2 * ROWS });
    await append(restored);
    await restored.maintenance.rollUp();
    expect(await samplesIn(restored)).toBe(4 * ROWS);
    await restored.close();
  });

  test('rollups whose answer was lost count once', async () => {
    const address = server.address('cut');
    let inserted = 0;
    const proxy = await startFaultProxy(
      () => server.port,
      (moment, text) =>
        moment === 'answered' && text.includes('INSERT INTO rollup_value') && inserted++ === 0 ? 'cut' : undefined,
    );
    const samples = { ...address, url: `http://127.0.0.1:${proxy.port}` };
    const store = await openStore({
      folder: await temporaryFolder(),
      as: 'command',
      samples,
      threadScript: STORE_THREAD,
    });
    await append(store);
    await expect(store.maintenance.finalize(NOW + DAY_MS)).rejects.toMatchObject(AWAY);
    await store.maintenance.finalize(NOW + DAY_MS);
    expect(inserted).toBeGreaterThan(1);
    const values = `SELECT toUInt8(uniqExact(generation)), toUInt32(max(arraySum(times))) FROM rollup_value
      WHERE resolution = ${RESOLUTIONS.day}`;
    // What was written first goes too, in the background.
    await vi.waitFor(async () => expect(await server.rows('cut', values)).toEqual([[1, ROWS]]), { timeout: 30_000 });
    expect(await store.maintenance.check()).toEqual([]);
    await store.close();
    await proxy.close();
  });

  test.skipIf(IS_SHORT)('a full block is prepared while the one before is stored, and both count once', async () => {
    const folder = await temporaryFolder();
    const samples = server.address('ahead');
    const store = await openStore({ folder, as: 'command', samples });
    const rows = (from: number) =>
      Array.from({ length: 30_000 }, (_, row) => ({ ...PLAIN_SAMPLE, at: NOW - from - row }));
    for (let chunk = 0; chunk < 8; chunk++) await fill(store, rows(chunk * 30_000));
    await append(store);
    const location = { file: join(folder, 'lastbyte.sqlite'), maxBytes: null, clickHouse: samples };
    const writer = inlineStoreRunner(location, 'writer');
    const blocks = await writer.run('nextBlocks', []);
    expect(blocks.map((block) => block.samples)).toEqual([90_000, 90_000]);
    // The same after a restart; then the next two, of which the second is not full.
    expect(await writer.run('nextBlocks', [])).toEqual(blocks);
    await (store.maintenance as SqliteMaintenance).rollUpStep();
    expect(await writer.run('nextBlocks', [])).toEqual([
      { ...blocks[1], after: 0 },
      expect.objectContaining({ samples: 60_000 + ROWS }),
    ]);
    await store.maintenance.rollUp();
    expect(await writer.run('nextBlocks', [])).toEqual([]);
    expect(await samplesIn(store)).toBe(240_000 + ROWS);
    expect(await store.maintenance.check()).toEqual([]);
    await Promise.all([writer, store].map((one) => one.close()));
  });

  test('a command that forwards beside the server: the token of the next block is kept', async () => {
    const folder = await temporaryFolder();
    const samples = server.address('beside');
    const store = await openStore({ folder, as: 'command', samples });
    await append(store);
    const location = { file: join(folder, 'lastbyte.sqlite'), maxBytes: null, clickHouse: samples };
    const [one, other] = [inlineStoreRunner(location, 'writer'), inlineStoreRunner(location, 'writer')];
    const blocks = await one.run('nextBlocks', []);
    const [block] = blocks;
    expect(await other.run('nextBlocks', [])).toEqual(blocks);
    await one.run('forwarded', [block?.last ?? 0, 0, NOW]);
    await append(store);
    const next = await one.run('nextBlocks', []);
    // Only now does the other one learn that the first block has arrived.
    await other.run('forwarded', [block?.last ?? 0, 0, NOW]);
    expect(next).toHaveLength(1);
    expect(await one.run('nextBlocks', [])).toEqual(next);
    await Promise.all([one, other].map((runner) => runner.close()));
    await store.close();
  });

  test('64 steps of a timeline are one statement', async () => {
    const samples = server.address('steps');
    const store = await openStore({ folder: await temporaryFolder(), as: 'command', samples, clock: () => NOW });
    const hours = Array.from({ length: 65 }, (_, hour) => Date.UTC(2026, 0, 20) + hour * HOUR_MS);
    await fill(
      store,
      hours.map((at) => ({ ...PLAIN_SAMPLE, at })),
    );
    await store.maintenance.rollUp();
    const clickHouse = openClickHouse(samples, () => {});
    const cells = createReadCells(async () => new Map());
    const state = { buckets: await readBuckets(clickHouse), cells, columns: ALL_COLUMNS };
    let statements = 0;
    const counting: ClickHouse = {
      ...clickHouse,
      select(...statement) {
        statements++;
        return clickHouse.select(...statement);
      },
    };
    const { openSteps } = createClickHouseRanges(counting, async () => state);
    const steps = hours.map((from) => ({ range: { from, to: from + HOUR_MS }, within: null }));
    const sourceOf = openSteps(steps, 'sketches', () => {});
    const request = { metric: TIME_METRICS.ttlb, selection: selectCells([], {}) };
    const blocksOf = async (step: number) => [...(await (await sourceOf(step)).blocks(request))].length;
    for (let step = 0; step < 64; step++) expect(await blocksOf(step)).toBe(1);
    expect(statements).toBe(1);
    expect(await blocksOf(64)).toBe(1);
    expect(statements).toBe(2);
    clickHouse.close();
    await store.close();
  });

  test.skipIf(IS_SHORT)('a damaged chunk is set aside and reported, and holds up none before or after it', async () => {
    const folder = await temporaryFolder();
    const reported: unknown[] = [];
    const store = await openStore({
      folder,
      as: 'command',
      samples: server.address('damaged'),
      onMaintenanceError: (error, job) => reported.push([job, error]),
    });
    const rows = Array.from({ length: 60_000 }, (_, row) => ({ ...PLAIN_SAMPLE, at: NOW - row }));
    for (let chunk = 0; chunk < 4; chunk++) await fill(store, rows);
    const database = new Database(join(folder, 'lastbyte.sqlite'));
    database.exec('UPDATE chunk SET bytes = zeroblob(length(bytes)) WHERE id = (SELECT max(id) - 1 FROM chunk)');
    database.close();
    await store.maintenance.rollUp();
    expect(reported).toMatchObject([['quarantine', { code: 'store_corrupt' }]]);
    expect(await samplesIn(store)).toBe(3 * rows.length);
    expect(await store.maintenance.quarantine()).toMatchObject([{ samples: rows.length }]);
    expect(await store.maintenance.check()).toEqual([
      expect.stringMatching(/^60000 samples .*; they are not forwarded$/),
    ]);
    await store.close();
  });

  test.skipIf(IS_SHORT)('a block may have samples of more days than a server allows by default', async () => {
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', samples: server.address('days') });
    const rows = Array.from({ length: 120 }, (_, day) => ({ ...PLAIN_SAMPLE, at: NOW - day * DAY_MS }));
    await fill(store, rows);
    await store.maintenance.rollUp();
    expect(await samplesIn(store)).toBe(rows.length);
    await store.close();
  });
});
