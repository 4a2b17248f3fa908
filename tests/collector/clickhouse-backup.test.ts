import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { IS_SHORT } from '../rounds.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { databaseOf, startClickHouse } from './clickhouse-server.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const absent = IS_SHORT ? 'run npm run test:nightly' : chdbAbsent();

const ROWS = 40;
const ALL = { range: { from: 0, to: 8e15 }, filters: {}, by: [] };

test.skipIf(absent !== null)("ClickHouse's own backup, restored, has the same answers and goes on", async () => {
  const server = await startClickHouse();
  onTestFinished(() => server.stop());
  const store = await openStore({
    folder: await temporaryFolder(),
    as: 'command',
    samples: server.address('saved'),
    clock: () => NOW,
  });
  onTestFinished(() => store.close());
  const append = (day: number) =>
    fill(
      store,
      Array.from({ length: ROWS }, (_, row) => ({ ...PLAIN_SAMPLE, at: NOW - day * 86_400_000 - row })),
    );
  await append(2);
  await append(0);
  await store.maintenance.finalize(NOW);
  const answer = async () => {
    const { samples, dataHash } = await store.samples.aggregate(ALL);
    return { samples, dataHash };
  };
  const before = await answer();
  expect(before.samples).toBe(2 * ROWS);

  const database = databaseOf('saved');
  await server.administer('other', `BACKUP DATABASE ${database} TO File('saved')`);
  await server.administer('other', `DROP DATABASE ${database} SYNC`);
  await expect(answer()).rejects.toThrow('ClickHouse');
  await server.administer('other', `RESTORE DATABASE ${database} FROM File('saved')`);
  expect(await answer()).toEqual(before);

  await append(1);
  await store.maintenance.finalize(NOW);
  expect((await answer()).samples).toBe(3 * ROWS);
  expect(await store.maintenance.check()).toEqual([]);
});
