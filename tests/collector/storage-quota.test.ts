import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { readPrometheus } from './prometheus-reader.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestApp, testApp } from './test-app.ts';
import { UNLIMITED_CLIENTS } from './unlimited-clients.ts';

const ROWS = 500;
/** A network's quota where nothing else is free: some thousand rows. */
const QUOTA = 200_000;
const CLIENT_LIMITS = {
  ...UNLIMITED_CLIENTS,
  stored: { network: 0, allowance: 0, key: 0 },
  leastStoredBytes: QUOTA,
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

test('a network that used up its quota is told when to return, others are not concerned, and metrics show it', async () => {
  const app = await testApp({ clientLimits: CLIENT_LIMITS });
  // The free space is looked at with the first batch.
  await post(app, 'known', 0);
  const { answer, rows } = await flood(app, randomUUID);
  expect([answer.statusCode, answer.json().error.code]).toEqual([429, 'quota_exceeded']);
  expect(answer.json().error.hint).toContain('Keep the batch');
  expect(Number(answer.headers['retry-after'])).toBe(3600);
  expect(rows).toBeLessThanOrEqual(QUOTA / 32 + ROWS);
  expect((await post(app, randomUUID(), ROWS, '192.0.2.2')).json()).toMatchObject({ accepted: ROWS });
  const { series } = readPrometheus((await app.send({ url: '/metrics' })).body);
  const of = (name: string) => series.filter((one) => one.name === name);
  expect(of('lastbyte_key_refused_total').find(({ labels }) => labels.reason === 'quota_exceeded')?.value).toBe(1);
  expect(of('lastbyte_key_quota_used_ratio')[0]?.value).toBeGreaterThan(0.1);
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

test('a batch pays for the texts that it brings, and the one beside it in the chunk does not', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  onTestFinished(() => store.close());
  const now = Date.now();
  const bodyOf = (client: string, templates: readonly string[]) => {
    const samples = templates.map((template, row) => ({ ...sampleAt(now, row), template }));
    const bytes = Buffer.from(JSON.stringify(encodeBatch({ ...ORIGIN, client }, randomUUID(), now, samples)));
    return { bytes, receivedAt: now, key: 'key-1' };
  };
  const plain = Array.from({ length: 10 }, () => '/plain');
  const long = Array.from({ length: 10 }, (_, n) => `/${n}/${'x'.repeat(490)}`);
  const bytesOf = async (first: readonly string[]) => {
    const bodies = [bodyOf(randomUUID(), first), bodyOf(randomUUID(), plain)];
    return (await createIngestBodies(store.samples)(bodies)).map((outcome) =>
      outcome?.ok ? outcome.storedBytes : Number.NaN,
    );
  };
  const [, beside = 0] = await bytesOf(plain);
  const [heavy = 0, light = 0] = await bytesOf(long);
  expect(heavy - light).toBeGreaterThan(10 * 490);
  expect(light).toBeLessThan(beside + 200);
});

test('a browser of which nothing was heard before pays for its row, once', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  onTestFinished(() => store.close());
  const now = Date.now();
  const client = randomUUID();
  const status = {
    state: 'collecting' as const,
    waiting: 0,
    dropped: { full: 1 },
    rejected: {},
    lost: {},
    turns: [],
  };
  const take = async () => {
    const bytes = Buffer.from(JSON.stringify(encodeBatch({ ...ORIGIN, client }, randomUUID(), now, [], status)));
    const [outcome] = await createIngestBodies(store.samples)([{ bytes, receivedAt: now, key: 'key-1' }]);
    return outcome?.ok ? [outcome.newBrowser, outcome.storedBytes] : [];
  };
  expect(await take()).toEqual([true, expect.any(Number)]);
  expect(await take()).toEqual([false, 100]);
});

test('an address that invents browsers sends as many as their pages allow, and known ones four times as many', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const burst = 2 ** 20;
  const app = await testApp({
    clientLimits: { ...UNLIMITED_CLIENTS, rate: { ...UNLIMITED_CLIENTS.rate, network: burst } },
  });
  const batches = async (client: () => string, from: string) => {
    let sent = 0;
    while ((await post(app, client(), 0, from)).statusCode === 200) sent++;
    return sent;
  };
  expect(await batches(randomUUID, '192.0.2.1')).toBeLessThanOrEqual(burst / (32 * 1024) + 1);
  const client = randomUUID();
  const known = await batches(() => client, '192.0.2.2');
  expect(known).toBeGreaterThan(3 * (burst / (32 * 1024)));
  expect(known).toBeLessThanOrEqual(burst / (8 * 1024));
});

test('what is free is what the disk or the limit has left, and less by what is stored', async () => {
  const maxBytes = 50 * 2 ** 20;
  const store = await openStore({ folder: await temporaryFolder(), as: 'command', maxBytes });
  onTestFinished(() => store.close());
  const free = async () => (await store.maintenance.freeSpace())?.bytes ?? 0;
  const before = await free();
  expect(before).toBeLessThan(maxBytes);
  expect(before).toBeGreaterThan(maxBytes * 0.9);
  await store.keyValues.write('something', 'x'.repeat(2 ** 20));
  expect(await free()).toBeLessThanOrEqual(before - 2 ** 20);
});
