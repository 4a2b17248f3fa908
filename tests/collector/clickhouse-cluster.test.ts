import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { batchColumnsOf } from '../../collector/ingest/decode/decode-batch.ts';
import { openClickHouse } from '../../collector/storage/clickhouse/blocking-query.ts';
import { encodeBlock } from '../../collector/storage/clickhouse/forward-block.ts';
import { quotedNames, STORED_COLUMNS } from '../../collector/storage/clickhouse/sample-table.ts';
import { toSampleColumns } from '../../collector/storage/columns/batch-columns.ts';
import { createBufferPool } from '../../collector/storage/columns/buffer-pool.ts';
import { ByteWriter } from '../../collector/storage/columns/bytes.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { Distribution } from '../../shared/statistics/distribution.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { fillFleet } from '../fleets/fill-fleet.ts';
import { namedFleet } from '../fleets/named-fleets.ts';
import { IS_SHORT } from '../rounds.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type ClickHouseCluster, clusterAbsent, startCluster } from './clickhouse-cluster.ts';
import { openForwarding } from './clickhouse-server.ts';
import { run } from './command.ts';
import { browserId, fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const absent = IS_SHORT ? 'run npm run test:nightly' : clusterAbsent();
if (absent !== null) console.warn(`A cluster of ClickHouse is not tested: ${absent}`);
const BROWSERS = 20;
const ROWS = 40;
/** Too many to be read one by one: the shards have to add them up. */
const FLEET = 55_000;
/** A full block, which is sent at once. */
const BLOCK = 20_000;
/** About as long as it takes to be stored. */
const BLOCK_MS = 500;
const DAY_MS = 86_400_000;
const STORE_THREAD = pathToFileURL(join(import.meta.dirname, '../../dist/store-thread.mjs'));
const ALL = { range: { from: 0, to: 8e15 }, filters: {}, by: [] };
/** States that replicas reach by themselves. */
const SOON = { timeout: 60_000, interval: 50 };
const TABLES = [
  'arrival',
  'bucket',
  'client',
  'migration',
  'rollup_client',
  'rollup_count',
  'rollup_value',
  'sample',
  'state',
];

describe.skipIf(absent !== null)('a cluster of two shards with two replicas each', () => {
  let cluster: ClickHouseCluster;
  beforeAll(async () => {
    cluster = await startCluster([2, 2]);
  });
  afterAll(() => cluster?.stop());

  async function append(store: Store, at = NOW, sizes = 0): Promise<void> {
    for (let browser = 0; browser < BROWSERS; browser++) {
      const own = Array.from({ length: ROWS }, (_, row) => ({
        ...PLAIN_SAMPLE,
        at: at - row,
        transferSize: sizes + browser * ROWS + row,
      }));
      await fill(store, own, { client: browserId(browser) });
    }
  }

  /** What each node sees, once its replicas have caught up. */
  async function expectEverywhere(database: string, sql: string, rows: unknown[][]): Promise<void> {
    for (const node of cluster.nodes.flat()) {
      await vi.waitFor(async () => expect(await node.rows(database, sql)).toEqual(rows), SOON);
    }
  }

  test('tables are created on every node, and samples that one node has received are read from all', async () => {
    const samples = await cluster.createDatabase('everywhere');
    const store = await openStore({ folder: await temporaryFolder(), as: 'command', samples, clock: () => NOW });
    onTestFinished(() => store.close());
    await append(store);
    await store.maintenance.finalize(NOW + DAY_MS);
    await expectEverywhere(
      'everywhere',
      "SELECT name, engine FROM system.tables WHERE database = 'everywhere' AND engine LIKE 'Repl%' ORDER BY name",
      TABLES.map((name) => [
        `${name}_local`,
        ['arrival', 'client'].includes(name) ? 'ReplicatedReplacingMergeTree' : 'ReplicatedMergeTree',
      ]),
    );
    await expectEverywhere('everywhere', 'SELECT toUInt32(count()) FROM sample', [[BROWSERS * ROWS]]);
    // Each shard has the samples of some browsers, all of each.
    for (const shard of cluster.nodes) {
      for (const node of shard) {
        const [counted] = await node.rows(
          'everywhere',
          'SELECT toUInt32(count()), toUInt32(uniqExact(client)) FROM sample_local',
        );
        const [n, browsers] = counted as [number, number];
        expect(browsers).toBeGreaterThan(0);
        expect(browsers).toBeLessThan(BROWSERS);
        expect(n).toBe(browsers * ROWS);
      }
    }
    expect(await store.maintenance.check()).toEqual([]);
    for (const node of cluster.nodes.flat()) {
      const other = await openStore({
        folder: await temporaryFolder(),
        as: 'command',
        samples: node.address('everywhere'),
      });
      expect((await other.samples.aggregate(ALL)).samples).toBe(BROWSERS * ROWS);
      await other.close();
    }
  });

  test('the same block twice counts once, also through another replica', async () => {
    const samples = await cluster.createDatabase('repeated');
    const store = await openStore({ folder: await temporaryFolder(), as: 'command', samples });
    await append(store);
    await store.maintenance.rollUp();
    await store.close();
    const rows = Array.from({ length: ROWS }, (_, row) => ({ ...PLAIN_SAMPLE, at: NOW - DAY_MS - row }));
    const origins = [0, 1, 2, 3].map((browser) => ({ ...ORIGIN, client: browserId(browser) }));
    const origin = Int32Array.from(rows, (_, row) => row % origins.length);
    const block = encodeBlock(
      toSampleColumns({ ...batchColumnsOf(rows), origins, origin }),
      randomUUID(),
      createBufferPool(),
      new ByteWriter(true),
    );
    for (const node of [...cluster.nodes.flat(), ...cluster.nodes.flat()]) {
      const clickHouse = openClickHouse(node.address('repeated'), () => {});
      clickHouse.insert(`INSERT INTO sample (${quotedNames(STORED_COLUMNS)})`, block.samples, {
        insert_deduplication_token: block.token,
      });
      clickHouse.close();
    }
    await expectEverywhere('repeated', 'SELECT toUInt32(count()) FROM sample', [[BROWSERS * ROWS + ROWS]]);
  });

  test('an erased browser is gone from every node, and so is a day that has expired', async () => {
    const samples = await cluster.createDatabase('removed');
    const store = await openStore({ folder: await temporaryFolder(), as: 'command', samples, clock: () => NOW });
    onTestFinished(() => store.close());
    await append(store);
    await append(store, NOW - 40 * DAY_MS);
    await store.maintenance.finalize(NOW);
    // One of each shard.
    const browsers = await Promise.all(
      cluster.nodes.map(async ([node]) => {
        const [found] = (await node?.rows('removed', 'SELECT any(client) FROM sample_local')) ?? [];
        return String(found?.[0]);
      }),
    );
    for (const client of browsers)
      expect(await store.maintenance.erase({ client })).toMatchObject({ samples: 2 * ROWS });
    const left = 2 * ROWS * (BROWSERS - browsers.length);
    const of = browsers.map((client) => `'${client}'`).join(', ');
    await expectEverywhere('removed', `SELECT toUInt32(count()) FROM sample_local WHERE client IN (${of})`, [[0]]);
    await expectEverywhere('removed', `SELECT toUInt32(count()) FROM client_local WHERE client IN (${of})`, [[0]]);
    await expectEverywhere('removed', 'SELECT toUInt32(count()) FROM sample', [[left]]);
    expect((await store.samples.aggregate(ALL)).samples).toBe(left);
    expect(await store.maintenance.check()).toEqual([]);
    await store.maintenance.prune(NOW, { sampleDays: 30, hourDays: 60, dayDays: 90, monthDays: null });
    await expectEverywhere('removed', `SELECT toUInt32(count()) FROM sample_local WHERE at < ${NOW - 30 * DAY_MS}`, [
      [0],
    ]);
    await expectEverywhere('removed', 'SELECT toUInt32(count()) FROM sample', [[left / 2]]);
    expect((await store.samples.aggregate(ALL)).samples).toBe(left);
    expect(await store.maintenance.check()).toEqual([]);
  });

  test('a replica is lost while it stores a block, and comes back: everything is there once', {
    timeout: 240_000,
  }, async () => {
    const samples = await cluster.createDatabase('lost');
    const store = await openStore({
      folder: await temporaryFolder(),
      as: 'server',
      samples,
      threadScript: STORE_THREAD,
    });
    onTestFinished(() => store.close());
    const random = seededRandom(1);
    const forwarded = async () => expect((await store.maintenance.backlog())?.samples).toBe(0);
    await append(store, Date.now());
    await vi.waitFor(forwarded, SOON);
    let sent = BROWSERS * ROWS;
    // The first is the one that is asked.
    for (const victim of cluster.nodes.flat()) {
      const now = Date.now();
      for (let browser = 0; browser < BROWSERS; browser++) {
        const own = Array.from({ length: BLOCK / BROWSERS }, () => ({
          ...PLAIN_SAMPLE,
          at: now - sent,
          transferSize: sent++,
        }));
        await fill(store, own, { client: browserId(browser) });
      }
      await new Promise((resolve) => setTimeout(resolve, random() * BLOCK_MS));
      await victim.kill();
      await vi.waitFor(forwarded, SOON);
      await victim.start();
    }
    await expectEverywhere('lost', 'SELECT toUInt32(count()), toUInt32(uniqExact(transferSize)) FROM sample', [
      [sent, sent],
    ]);
    for (const [here, there] of cluster.nodes) {
      const counted = 'SELECT toUInt32(count()) FROM sample_local';
      const rows = (await here?.rows('lost', counted)) ?? [];
      await vi.waitFor(async () => expect(await there?.rows('lost', counted)).toEqual(rows), SOON);
    }
    await store.maintenance.rollUp();
    expect(await store.maintenance.check()).toEqual([]);
  });

  test('lastbyte check says what each replica has, and which are away', async () => {
    const samples = await cluster.createDatabase('checked');
    const folder = await temporaryFolder();
    const store = await openStore({ folder, as: 'command', samples });
    await append(store);
    await store.maintenance.rollUp();
    await store.close();
    const upToDate = ['1, replica 1', '1, replica 2', '2, replica 1', '2, replica 2'].map(
      (replica) => `shard ${replica}: ${TABLES.length} tables, up to date`,
    );
    const check = async () => JSON.parse((await run(['check', '--data', folder, '--json'])).stdout);
    await vi.waitFor(async () => expect(await check()).toEqual({ faults: [], replicas: upToDate }), SOON);
    const [, victim] = cluster.nodes[1] ?? [];
    await victim?.kill();
    // Keeper notices after its session has ended.
    await vi.waitFor(
      async () =>
        expect(await check()).toEqual({
          faults: [],
          replicas: [
            ...upToDate.slice(0, 3),
            'shard 2: 1 of 2 replicas is away',
            '1 of 4 nodes of the cluster does not answer',
          ],
        }),
      SOON,
    );
    await victim?.start();
  });

  test('answers are those of SQLite', { timeout: 240_000 }, async () => {
    const samples = await cluster.createDatabase('answers');
    const { plan } = namedFleet('trouble', NOW, FLEET);
    const sqlite = await openStore({ folder: await temporaryFolder(), as: 'command', clock: () => NOW });
    const clickHouse = await openForwarding(await temporaryFolder(), samples);
    onTestFinished(async () => void (await Promise.all([sqlite.close(), clickHouse.close()])));
    for (const store of [sqlite, clickHouse]) await fillFleet(store, plan, () => {});
    const whole = { from: NOW - 30 * DAY_MS, to: NOW };
    for (const range of [whole, { from: whole.from + 1234, to: whole.to - DAY_MS / 3 - 4321 }]) {
      expect(await answersOf(clickHouse, range)).toEqual(await answersOf(sqlite, range));
    }
  });
});

async function answersOf({ samples }: Store, range: TimeRange): Promise<unknown> {
  const all = { range, filters: {} };
  const answers = {
    sketched: await samples.aggregate({ ...all, by: ['host', 'type'] }),
    filtered: await samples.aggregate({ ...all, filters: { 'not.type': ['image'] }, by: ['site'] }),
    exact: await samples.aggregate({ ...all, by: ['host'] }, { exact: true }),
    one: await samples.distributions({ ...all, by: ['connection'], time: 'ttlb' }),
  };
  return JSON.parse(JSON.stringify(answers, (_, value) => (isDistribution(value) ? figuresOf(value) : value)));
}

function isDistribution(value: unknown): value is Distribution {
  return typeof value === 'object' && value !== null && 'valueAtRank' in value;
}

function figuresOf(values: Distribution): unknown {
  const { n, sum, sumSquares, min, max } = values;
  const ranks = [0.5, 0.75, 0.95, 0.99].map((part) => Math.floor(part * (n - 1)));
  return {
    n,
    sum,
    squares: `${sumSquares}`,
    min,
    max,
    at: n === 0 ? [] : ranks.map((rank) => values.valueAtRank(rank)),
  };
}
