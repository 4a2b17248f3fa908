import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { removeRemnants } from '../../collector/storage/sqlite/erase-client.ts';
import type { Store } from '../../collector/storage/store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAY = 86_400_000;
/** Enough to split the pages of every table that names browsers. */
const BROWSERS = 400;
/** Batches per commit. */
const GROUP = 8;

/** Names of the folder's files that contain the text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const files = await readdir(folder);
  const contents = await Promise.all(files.map((file) => readFile(join(folder, file))));
  return files.filter((_, index) => contents[index]?.includes(text));
}

function body(client: string, key: string, daysAgo: number) {
  const sentAt = NOW - daysAgo * DAY;
  const batch = encodeBatch({ ...ORIGIN, client }, randomUUID(), sentAt, [{ ...PLAIN_SAMPLE, at: sentAt - 1000 }]);
  return { bytes: Buffer.from(JSON.stringify(batch)), receivedAt: sentAt, key };
}

async function openIn(folder: string, as: 'server' | 'command'): Promise<Store> {
  const store = await openStore({ folder, as, clock: () => NOW });
  onTestFinished(() => store.close());
  return store;
}

/** A server with samples of many browsers, under two keys: of past days, merged; and of today, once rolled up and once not. */
async function fleet() {
  const folder = await temporaryFolder();
  const store = await openIn(folder, 'server');
  const ingest = createIngestBodies(store.samples);
  const browsers = Array.from({ length: BROWSERS }, () => randomUUID());
  const [kept, leaked] = [randomUUID(), randomUUID()];
  for (const daysAgo of [2, 1, 0]) {
    const bodies = browsers.map((client, n) => body(client, n % 4 === 0 ? leaked : kept, daysAgo));
    for (let first = 0; first < BROWSERS; first += GROUP) await ingest(bodies.slice(first, first + GROUP));
    if (daysAgo > 0) await store.maintenance.finalize(NOW);
  }
  await store.maintenance.rollUp();
  await ingest(browsers.slice(0, GROUP).map((client) => body(client, kept, 0)));
  return { folder, store, browsers, leaked, command: await openIn(folder, 'command') };
}

test('no byte of an erased browser or key is left in any file of the folder, next to a running server', async () => {
  const { folder, store, browsers, leaked, command } = await fleet();
  const erased = browsers.filter((_, n) => n % 50 === 1);
  for (const client of erased) expect(await filesWith(folder, client)).not.toEqual([]);
  for (const client of erased) await command.maintenance.erase({ client });
  for (const client of erased) expect(await filesWith(folder, client)).toEqual([]);

  expect(await filesWith(folder, leaked)).not.toEqual([]);
  await command.maintenance.erase({ key: leaked });
  expect(await filesWith(folder, leaked)).toEqual([]);
  expect(await store.maintenance.check()).toEqual([]);
});

test('an erasure says that remnants are left while another process reads, and the next one removes them', async () => {
  const { folder, browsers, command } = await fleet();
  const [client = ''] = browsers;
  const reader = new Database(join(folder, 'lastbyte.sqlite'), { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec('BEGIN; SELECT count(*) FROM chunk');
  await expect(command.maintenance.erase({ client })).rejects.toMatchObject({
    code: 'store_busy',
    message: expect.stringContaining('everything was erased'),
  });
  reader.close();
  expect(await command.maintenance.erase({ client })).toMatchObject({ samples: 0 });
  expect(await filesWith(folder, client)).toEqual([]);
});

test('where there is no space to rewrite the database, that is said', () => {
  const full = new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
  const database = {
    exec() {
      throw full;
    },
  } as unknown as Database.Database;
  expect(() => removeRemnants(database)).toThrow(
    expect.objectContaining({ code: 'store_full', message: expect.stringContaining('still contains remnants') }),
  );
});
