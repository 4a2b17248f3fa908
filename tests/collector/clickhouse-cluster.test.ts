import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { rounds } from '../rounds.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type ClickHouseCluster, clusterAbsent, startCluster } from './clickhouse-cluster.ts';
import { browserId, fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const absent = rounds(0, 1) === 0 ? 'run npm run test:long' : clusterAbsent();
if (absent !== null) console.warn(`A cluster of ClickHouse is not tested: ${absent}`);
const BROWSERS = 20;
const ROWS = 40;

describe.skipIf(absent !== null)('a cluster of two shards with two replicas each', () => {
  let cluster: ClickHouseCluster;
  beforeAll(async () => {
    cluster = await startCluster([2, 2]);
  });
  afterAll(() => cluster?.stop());

  test('tables are created on every node', async () => {
    const samples = await cluster.createDatabase('first');
    const store = await openStore({ folder: await temporaryFolder(), as: 'command', samples });
    for (let browser = 0; browser < BROWSERS; browser++) {
      const own = Array.from({ length: ROWS }, (_, row) => ({ ...PLAIN_SAMPLE, at: NOW - row }));
      await fill(store, own, { client: browserId(browser) });
    }
    await store.maintenance.rollUp();
    for (const node of cluster.nodes.flat()) {
      console.log(await node.rows('first', "SELECT name, engine FROM system.tables WHERE database = 'first'"));
      console.log(await node.rows('first', 'SELECT toUInt32(count()) FROM sample'));
      console.log(await node.rows('first', 'SELECT toUInt32(count()) FROM sample_local'));
    }
    expect(await store.maintenance.check()).toEqual([]);
    await store.close();
  });
});
