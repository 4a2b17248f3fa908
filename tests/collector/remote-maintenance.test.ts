import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { BatchClaims } from '../../collector/storage/batch-claims.ts';
import { createRemoteMaintenance } from '../../collector/storage/clickhouse/remote-maintenance.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { createOutboxWrites, type OutboxBlock } from '../../collector/storage/sqlite/outbox.ts';
import { createMaintenance } from '../../collector/storage/sqlite/sqlite-maintenance.ts';
import { inlineStoreRunner, type StoreRunner } from '../../collector/storage/sqlite/store-thread.ts';
import { StoreError } from '../../collector/storage/store-error.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { BELIEVED } from './believed-clock.ts';
import { browserId, fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a collector asks of ClickHouse; here it is asked of the test. */
type Ask = (job: string, input: readonly unknown[]) => unknown;

const RETENTION = { sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null };
const FILE = 'lastbyte.sqlite';
const OTHER = { client: browserId(2) };

/** A data folder with a chunk of each of two browsers. */
async function folderWithChunks(): Promise<string> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  await fill(store, [PLAIN_SAMPLE]);
  await fill(store, [PLAIN_SAMPLE], OTHER);
  await store.close();
  return folder;
}

function openMaintenance(folder: string, ask: Ask, claims: (() => BatchClaims | null) | null = null) {
  const location = {
    file: join(folder, FILE),
    maxBytes: null,
    clickHouse: { url: '', user: '', password: '', database: '' },
  };
  const database = new Database(location.file);
  const [jobs, writer] = [inlineStoreRunner(location, 'reader'), inlineStoreRunner(location, 'writer')];
  onTestFinished(async () => {
    await Promise.all([jobs.close(), writer.close()]);
    database.close();
  });
  const clock = () => NOW;
  const remote = {
    run: async (job: string, input: readonly unknown[]) => ask(job, input),
    close: async () => {},
  } as unknown as StoreRunner<'remote'>;
  const maintenance = createRemoteMaintenance({
    database,
    local: createMaintenance(database, { jobs, writer }, { clock, watch: BELIEVED }),
    jobs,
    remote,
    writer,
    clock,
    watch: BELIEVED,
    claims,
    tell: () => {},
  });
  return { maintenance, database };
}

test('what arrives while a browser is erased stays as it is, for the server that forwards it', async () => {
  const folder = await folderWithChunks();
  const store = await openStore({ folder, as: 'command' });
  onTestFinished(() => store.close());
  const { maintenance, database } = openMaintenance(folder, async (job) => {
    if (job !== 'erase') return 0;
    // Both in one chunk, and one over midnight, which a rollup of this folder would split.
    await fill(store, [PLAIN_SAMPLE, { ...PLAIN_SAMPLE, at: PLAIN_SAMPLE.at - 86_400_000 }]);
    return { samples: 1, days: 1 };
  });
  expect(await maintenance.erase({ client: ORIGIN.client })).toEqual({ samples: 1, days: 1, quarantined: 0 });
  const left = database.prepare('SELECT id, n FROM chunk').all();
  expect(left).toEqual([{ id: 3, n: 2 }]);
  expect(database.prepare('SELECT count(*) AS n FROM bucket').get()).toEqual({ n: 0 });
});

test('batches that other collectors may have are not forwarded without the claims of all', async () => {
  const folder = await folderWithChunks();
  const sent: unknown[] = [];
  const { maintenance, database } = openMaintenance(folder, (job) => {
    sent.push(job);
    return 0;
  });
  database.exec("INSERT INTO chunk_batch (chunk, first_row, n, batch) VALUES (1, 0, 1, x'00')");
  await expect(maintenance.rollUp()).rejects.toMatchObject({
    code: 'data_folder_unusable',
    hint: expect.stringContaining('--control'),
  });
  expect(sent).not.toContain('forward');
});

test('nothing is forwarded before the claims can be asked, and it waits', async () => {
  const folder = await folderWithChunks();
  const { maintenance } = openMaintenance(
    folder,
    () => 0,
    () => null,
  );
  expect(await maintenance.rollUpStep()).toBe(false);
  expect([maintenance.waits(), await maintenance.backlog()]).toMatchObject([true, { samples: 2 }]);
});

test.each([
  ['store_busy', ['removeExpired']],
  // Its settings may have changed since.
  ['control_unreachable', []],
] as const)('if claims cannot be forgotten (%s), of samples that have expired is asked: %j', async (code, expected) => {
  const asked: string[] = [];
  const forget = async () => {
    throw new StoreError(code, '', '');
  };
  const { maintenance } = openMaintenance(
    await folderWithChunks(),
    (job) => asked.push(job),
    () => ({ claim: async () => [], forget }),
  );
  await expect(maintenance.prune(NOW, RETENTION)).rejects.toMatchObject({ code });
  expect(asked).toEqual(expected);
});

test('two processes form a block one after the other, so that it has one token', async () => {
  const folder = await folderWithChunks();
  const [one, other] = [new Database(join(folder, FILE)), new Database(join(folder, FILE), { timeout: 0 })];
  onTestFinished(() => {
    one.close();
    other.close();
  });
  let amid: unknown = null;
  const [block] = createOutboxWrites(one, () => {
    // At the moment at which the first has found that there is no block yet.
    try {
      createOutboxWrites(other, () => 'second').nextBlocks();
    } catch (error) {
      amid = error;
    }
    return 'first';
  }).nextBlocks() as OutboxBlock[];
  expect(amid).toMatchObject({ code: 'SQLITE_BUSY' });
  expect(createOutboxWrites(other, () => 'second').nextBlocks()).toEqual([block]);
  expect(block?.token).toBe('first');
});
