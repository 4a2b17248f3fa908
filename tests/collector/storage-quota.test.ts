import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/store/open-store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { readPrometheus } from './prometheus-reader.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestApp, testApp } from './test-app.ts';
import { UNLIMITED_CLIENTS } from './unlimited-clients.ts';

const DAY_MS = 86_400_000;
const ROWS = 500;
/** A network's quota where nothing else is free: some thousand rows. */
const QUOTA = 200_000;
const CLIENT_LIMITS = {
  ...UNLIMITED_CLIENTS,
  storage: { ...UNLIMITED_CLIENTS.storage, network: 0, key: 0, leastBytes: QUOTA },
};

/** Takes 32 bytes at the least: rows that are alike take next to none. */
function sampleAt(now: number, row: number) {
  const size = 2 ** 48 + row;
  return {
    ...PLAIN_SAMPLE,
    at: now - 1000,
    transferSize: size,
    encodedBodySize: size,
    decodedBodySize: size,
    idleMs: size,
  };
}

function post(app: TestApp, client: string, rows: number, from = '192.0.2.1') {
  const samples = Array.from({ length: rows }, (_, row) => sampleAt(app.clock.now, row));
  const payload = JSON.stringify(encodeBatch({ ...ORIGIN, client }, randomUUID(), app.clock.now, samples));
  const headers = { 'content-type': 'application/json' };
  return app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload, headers, remoteAddress: from });
}

/** Stores until it is refused; the refusal, and how many rows were taken. */
async function flood(app: TestApp, client: () => string, from?: string) {
  for (let rows = 0; rows < 100 * ROWS; rows += ROWS) {
    const answer = await post(app, client(), ROWS, from);
    if (answer.statusCode !== 200) return { answer, rows };
  }
  throw new Error('nothing was refused');
}

/** A fleet that has been known for a day, the free space looked at. */
async function fleet(app: TestApp): Promise<readonly string[]> {
  const clients = Array.from({ length: 20 }, () => randomUUID());
  for (const client of clients) await post(app, client, 0);
  app.clock.now += DAY_MS;
  for (const client of clients) await post(app, client, 0);
  // How many are known is asked once a minute.
  app.clock.now += 60_000;
  await post(app, clients[0] ?? '', 0);
  return clients;
}

test('invented browsers use up half of a quota, known ones may store the rest, and others are not concerned', async () => {
  const app = await testApp({ clientLimits: CLIENT_LIMITS });
  const [known = ''] = await fleet(app);
  const { answer, rows } = await flood(app, randomUUID);
  expect([answer.statusCode, answer.json().error.code]).toEqual([429, 'quota_exceeded']);
  expect(answer.json().error.hint).toContain('Keep the batch');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(QUOTA / 2 / 32 + ROWS);
  expect((await post(app, known, ROWS)).json()).toMatchObject({ accepted: ROWS });
  expect((await post(app, randomUUID(), ROWS, '192.0.2.2')).json()).toMatchObject({ accepted: ROWS });
  const { answer: own } = await flood(app, () => known);
  expect(own.json().error.code).toBe('quota_exceeded');
  // Told to come back, it is taken then.
  app.clock.now += Number(own.headers['retry-after']) * 1000;
  expect((await post(app, known, ROWS)).json()).toMatchObject({ accepted: ROWS });
  const { series } = readPrometheus((await app.send({ url: '/metrics' })).body);
  const of = (name: string) => series.filter((one) => one.name === name);
  expect(of('lastbyte_key_refused_total').find(({ labels }) => labels.reason === 'quota_exceeded')?.value).toBe(2);
  expect(of('lastbyte_key_quota_used_ratio')[0]?.value).toBeGreaterThan(0.1);
});

test('a pilot in its first days is not taken for invented browsers', async () => {
  const app = await testApp({ clientLimits: CLIENT_LIMITS });
  await post(app, randomUUID(), 0);
  const { rows } = await flood(app, randomUUID);
  expect(rows).toBeGreaterThan(QUOTA / 2 / 32 + ROWS);
});

test('a batch that came before takes nothing of a quota', async () => {
  const app = await testApp({ clientLimits: CLIENT_LIMITS });
  const samples = Array.from({ length: ROWS }, (_, row) => sampleAt(app.clock.now, row));
  const payload = JSON.stringify(encodeBatch(ORIGIN, randomUUID(), app.clock.now, samples));
  const headers = { 'content-type': 'application/json' };
  for (let i = 0; i < 50; i++) {
    const { statusCode } = await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload, headers });
    expect(statusCode).toBe(200);
  }
});

test('what is free is what the disk or the limit has left, and less by what is stored', async () => {
  const maxBytes = 50 * 2 ** 20;
  const store = await openStore({ folder: await temporaryFolder(), as: 'command', maxBytes });
  onTestFinished(() => store.close());
  const free = async () => (await store.upkeep.freeSpace())?.bytes ?? 0;
  const before = await free();
  expect(before).toBeLessThan(maxBytes);
  expect(before).toBeGreaterThan(maxBytes * 0.9);
  await store.kept.write('something', 'x'.repeat(2 ** 20));
  expect(await free()).toBeLessThanOrEqual(before - 2 ** 20);
});
