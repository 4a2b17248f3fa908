import { randomUUID } from 'node:crypto';
import { copyFile, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { CLIENT_LIMITS } from '../../collector/ingest/admission/admission.ts';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { lockForServer } from '../../collector/storage/sqlite/data-folder.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { makeKey, run, serve, stop } from '../collector/command.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { testApp } from '../collector/test-app.ts';
import { UNLIMITED_CLIENTS } from '../collector/unlimited-clients.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const DAY = 24 * 3_600_000;
const ALL = { range: { from: 0, to: 8e15 }, filters: {} };
/** As often as a test may; the bench does it fifty times. */
const KILLS = 4;

const body = (id: string, now: number, rows = 50) =>
  encodeBatch(
    ORIGIN,
    id,
    now,
    Array.from({ length: rows }, (_, i) => ({ ...PLAIN_SAMPLE, at: now - 1000 - i })),
  );

async function countSamples(store: Store): Promise<number> {
  let n = 0;
  for await (const block of store.samples.scan(ALL)) n += block.length;
  return n;
}

// Six starts of the server; on a busy machine each takes seconds.
const PATIENT = { timeout: 240_000 };

/** Their columns of sizes take 8 bytes a row. */
function wideSamples(n: number): Sample[] {
  return Array.from({ length: n }, (_, i) => ({
    ...PLAIN_SAMPLE,
    at: NOW - i,
    transferSize: 2 ** 48 + i,
    encodedBodySize: 2 ** 48 - i,
    decodedBodySize: 2 ** 49 - i,
    idleMs: 2 ** 49 - 2 * i,
  }));
}

test(
  'kill -9 at random moments: every acknowledged batch is there exactly once, and rollups equal a rebuild',
  PATIENT,
  async () => {
    const folder = await temporaryFolder();
    const random = seededRandom(50);
    const sent: string[] = [];
    const acknowledged: string[] = [];
    let token = '';
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await serve(folder);
      token ||= (await makeKey(folder, 'ingest')).token;
      const enough = acknowledged.length + 20 + Math.floor(random() * 150);
      const sender = async () => {
        for (;;) {
          const id = randomUUID();
          sent.push(id);
          const answer = await post(server.url, token, JSON.stringify(body(id, Date.now())));
          if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
          acknowledged.push(id);
          if (acknowledged.length === enough) server.child.kill('SIGKILL');
        }
      };
      await Promise.allSettled(Array.from({ length: 8 }, sender));
    }

    const again = await serve(folder);
    for (const id of acknowledged) {
      const answer = await post(again.url, token, JSON.stringify(body(id, Date.now())));
      expect(await answer.json()).toMatchObject({ duplicate: true });
    }
    expect(await stop(again)).toBe(0);
    expect(JSON.parse((await run(['check', '--data', folder, '--json'])).stdout)).toEqual({ faults: [] });
    const store = await openStore({ folder, as: 'command' });
    const kept = await countSamples(store);
    await store.close();
    expect(kept % 50).toBe(0);
    expect(kept / 50).toBeGreaterThanOrEqual(acknowledged.length);
    expect(kept / 50).toBeLessThanOrEqual(sent.length);
  },
);

function post(url: string, token: string, text: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`${url}/api/v1/batches`, { method: 'POST', headers, body: text });
}

test('a full disk: 507 with what to do, reads go on, and writes resume when there is room', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'server', clock: () => NOW, maxBytes: 700_000 });
  const app = await testApp({ store, clientLimits: UNLIMITED_CLIENTS });
  const send = () => {
    // Different every time, so that nothing is small.
    const rows = Array.from({ length: 400 }, (_, i) => ({
      ...PLAIN_SAMPLE,
      at: NOW - i,
      template: `/${randomUUID()}`,
    }));
    return app.send({
      method: 'POST',
      url: '/api/v1/batches',
      as: 'ingest',
      payload: encodeBatch(ORIGIN, randomUUID(), NOW, rows),
    });
  };
  let stored = 0;
  let answer = await send();
  for (; answer.statusCode === 200 && stored < 100; stored++) answer = await send();
  expect(answer.statusCode).toBe(507);
  expect(answer.json()).toMatchObject({ error: { code: 'store_full', hint: expect.stringContaining('Free space') } });
  // Whoever balances load has to hear of it too, and monitoring.
  expect((await app.send({ url: '/readyz' })).json()).toMatchObject({ error: { code: 'store_full' } });
  expect(await countSamples(store)).toBe(stored * 400);
  expect((await app.send({ url: '/api/v1/summary', as: 'read' })).statusCode).toBe(200);

  // Room is made by forgetting what is old, as retention does.
  await store.maintenance.prune(NOW + 100 * DAY, { sampleDays: 30, hourDays: 90, dayDays: 700, monthDays: null });
  app.clock.now += 1000;
  expect((await app.send({ url: '/readyz' })).statusCode).toBe(200);
  expect((await send()).statusCode).toBe(200);
});

test('batches leave a reserve, in which a key is revoked and its samples are erased', async () => {
  const folder = await temporaryFolder();
  const maxBytes = 4 * 2 ** 20;
  const store = await openStore({ folder, as: 'server', clock: () => NOW, maxBytes });
  // Quotas would refuse before.
  const app = await testApp({ store, clientLimits: { ...UNLIMITED_CLIENTS, reserve: CLIENT_LIMITS.reserve } });
  const send = async () => {
    const payload = encodeBatch(ORIGIN, randomUUID(), NOW, wideSamples(1000));
    return (await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload })).statusCode;
  };
  let stored = 0;
  while ((await send()) === 200) stored++;
  expect(await send()).toBe(507);
  expect((await store.maintenance.freeSpace())?.bytes).toBeGreaterThanOrEqual(maxBytes / 4);
  expect((await app.send({ url: '/readyz' })).json()).toMatchObject({ error: { code: 'store_full' } });
  expect((await app.send({ url: '/api/v1/summary', as: 'read' })).statusCode).toBe(200);

  const [key] = (await store.tokens.list()).filter(({ role }) => role === 'ingest');
  if (key === undefined) throw new Error('no key');
  const command = await openStore({ folder, as: 'command', maxBytes });
  expect(await command.tokens.revoke(key.id)).toBe(true);
  expect(await command.maintenance.erase({ key: key.id })).toMatchObject({ samples: stored * 1000 });
  await command.close();
  app.clock.now += 1000;
  expect((await app.send({ url: '/readyz' })).statusCode).toBe(200);
});

test('the lock of a server takes no room', async () => {
  const folder = await temporaryFolder();
  const unlock = lockForServer(folder);
  expect(await readdir(folder)).toEqual(['server.lock']);
  expect((await stat(join(folder, 'server.lock'))).size).toBe(0);
  expect(() => lockForServer(folder)).toThrow(expect.objectContaining({ code: 'data_folder_in_use' }));
  unlock();
  lockForServer(folder)();
});

test('room for a few rows and not for the batches that come is not ready', async () => {
  const store = await openStore({
    folder: await temporaryFolder(),
    as: 'server',
    clock: () => NOW,
    maxBytes: 1_084_000,
  });
  const app = await testApp({ store, clientLimits: UNLIMITED_CLIENTS });
  const send = async (rows: number) => {
    const payload = encodeBatch(ORIGIN, randomUUID(), NOW, wideSamples(rows));
    return (await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload })).statusCode;
  };
  const ready = async () => {
    app.clock.now += 1000;
    return (await app.send({ url: '/readyz' })).statusCode;
  };
  while ((await send(3000)) === 200);
  expect(await send(10)).toBe(200);
  expect(await ready()).toBe(200);
  expect(await send(3000)).toBe(507);
  expect(await ready()).toBe(507);
  expect(await send(10)).toBe(200);
  expect(await ready()).toBe(200);
});

test('a damaged page: the server says so at its start, names the backup, and ends', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  const samples = Array.from({ length: 3000 }, (_, i) => ({
    ...PLAIN_SAMPLE,
    at: NOW - i,
    template: `/${randomUUID()}`,
  }));
  await store.samples.append([
    { id: randomUUID(), receivedAt: NOW, clockCorrection: 0, origin: ORIGIN, columns: toBatchColumns(samples) },
  ]);
  await store.close();

  await overwritePages(folder);
  const failed = await run(['serve', '--port', '0', '--data', folder]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^lastbyte: [^\n]*damaged[^\n]*lastbyte backup[^\n]*\n$/);
});

/** Every page but the first, which says that this is a database. */
async function overwritePages(folder: string): Promise<void> {
  const file = join(folder, 'lastbyte.sqlite');
  const { size } = await stat(file);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(size - 4096, 0xa5), 0, size - 4096, 4096);
  await handle.close();
}

async function storeOfOneDay(folder: string): Promise<void> {
  const store = await openStore({ folder, as: 'command', clock: () => NOW + 40 * DAY });
  const samples = Array.from({ length: 3000 }, (_, i) => ({
    ...PLAIN_SAMPLE,
    at: NOW - i,
    template: `/${randomUUID()}`,
  }));
  await store.samples.append([
    { id: randomUUID(), receivedAt: NOW, clockCorrection: 0, origin: ORIGIN, columns: toBatchColumns(samples) },
  ]);
  await store.maintenance.finalize(NOW + 40 * DAY);
  expect(await store.maintenance.check()).toEqual([]);
  await store.close();
}

/** One bit of a stored blob, as a disk may give it back without a word. */
function flipBit(folder: string, table: 'chunk' | 'pack', where: string): void {
  const database = new Database(join(folder, 'lastbyte.sqlite'));
  const row = database.prepare(`SELECT rowid AS id, bytes FROM ${table} WHERE ${where}`).get();
  const { id, bytes } = row as { id: number; bytes: Buffer };
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 3) ^ 1, bytes.length - 3);
  database.prepare(`UPDATE ${table} SET bytes = ? WHERE rowid = ?`).run(bytes, id);
  database.close();
}

test('a bit that flipped is seen: by the question that meets it, which names the backup, and by the check', async () => {
  const folder = await temporaryFolder();
  await storeOfOneDay(folder);
  flipBit(folder, 'pack', 'level = 3 AND measure = 10');
  flipBit(folder, 'chunk', 'n = 3000');
  const store = await openStore({ folder, as: 'server' });
  const app = await testApp({ store });
  const answer = await app.send({ url: '/api/v1/summary', as: 'admin' });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ error: { code: 'store_corrupt', hint: expect.stringContaining('backup') } });
  // Whoever asks for something else is answered.
  expect((await app.send({ url: '/healthz' })).statusCode).toBe(200);
  expect((await app.send({ url: '/api/v1/settings', as: 'admin' })).statusCode).toBe(200);
  expect(await store.maintenance.check()).toEqual([
    expect.stringMatching(/^the month rollup from \S+ is damaged$/),
    expect.stringMatching(/^samples from \S+ on are damaged$/),
  ]);
});

test('pages that are damaged while a server runs: questions and readiness say so, in a code', async () => {
  const folder = await temporaryFolder();
  await storeOfOneDay(folder);
  const store = await openStore({ folder, as: 'server' });
  await store.ready();
  await overwritePages(folder);
  const question = { range: { from: NOW - DAY, to: NOW + DAY }, filters: {}, by: [], time: 'ttlb' } as const;
  for (let i = 0; i < 3; i++) {
    await expect(store.samples.distributions(question)).rejects.toMatchObject({ code: 'store_corrupt' });
  }
  await store.close();
});

test('readiness is tried out: a disk without room is not ready, and nothing grows by asking', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'server', maxBytes: 600_000 });
  const app = await testApp({ store, clientLimits: UNLIMITED_CLIENTS });
  for (let i = 0; i < 5; i++) await store.ready();
  const before = await store.maintenance.sizes();
  for (let i = 0; i < 50; i++) await store.ready();
  expect((await store.maintenance.sizes()).total).toBe(before.total);
  expect((await app.send({ url: '/readyz' })).statusCode).toBe(200);

  for (let full = false; !full; ) {
    const rows = Array.from({ length: 100 }, (_, i) => ({
      ...PLAIN_SAMPLE,
      at: NOW - i,
      template: `/${randomUUID()}`,
    }));
    const payload = encodeBatch(ORIGIN, randomUUID(), NOW, rows);
    full = (await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload })).statusCode === 507;
  }
  app.clock.now += 5000;
  const answer = await app.send({ url: '/readyz' });
  expect(answer.statusCode).toBe(507);
  expect(answer.json()).toMatchObject({ error: { code: 'store_full' } });
  expect((await app.send({ url: '/healthz' })).statusCode).toBe(200);
});

test('a backup of a running server, restored, holds what was acknowledged before it', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const { token } = await makeKey(folder, 'ingest');
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const id of ids) await post(server.url, token, JSON.stringify(body(id, Date.now())));
  const file = join(folder, 'copy.sqlite');
  expect(await run(['backup', file, '--data', folder])).toMatchObject({ code: 0 });
  expect((await run(['backup', file, '--data', folder])).stderr).toContain('already exists');

  const restored = await temporaryFolder();
  await copyFile(file, join(restored, 'lastbyte.sqlite'));
  const store = await openStore({ folder: restored, as: 'server' });
  expect(await countSamples(store)).toBe(20 * 50);
  expect(await store.maintenance.check()).toEqual([]);
  await store.maintenance.finalize(Date.now() + 40 * DAY);
  expect(await store.maintenance.check()).toEqual([]);
  await store.close();
});
