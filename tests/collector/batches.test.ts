import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Store } from '../../collector/storage/store.ts';
import { StoreError } from '../../collector/storage/store-error.ts';
import type { Sample, StoredSample } from '../../shared/sample/sample.ts';
import { MAX_BODY_BYTES } from '../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type TestApp, testApp } from './test-app.ts';

const URL = '/api/v1/batches';
const JSON_TYPE = { 'content-type': 'application/json' };

function batch(samples: readonly Sample[], id: string = randomUUID()) {
  return JSON.parse(JSON.stringify(encodeBatch(ORIGIN, id, NOW, samples)));
}

async function stored({ store }: Pick<TestApp, 'store'>): Promise<StoredSample[]> {
  const found: StoredSample[] = [];
  for await (const block of store.samples.scan({ range: { from: 0, to: 8e15 }, filters: {} })) found.push(...block);
  return found;
}

const post = (app: TestApp, payload: string | Buffer | object, headers: Record<string, string> = JSON_TYPE) =>
  app.send({ method: 'POST', url: URL, as: 'ingest', payload, headers });

test('a batch is stored, acknowledged, and acknowledged again without being stored twice', async () => {
  const app = await testApp();
  const erp = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'], serverTimingMetrics: ['cpu'] };
  await app.store.settings.write({ version: 1, targets: [erp] }, null, NOW);
  const id = randomUUID();
  const first = await post(app, batch([PLAIN_SAMPLE, PLAIN_SAMPLE], id));
  expect(first.statusCode).toBe(200);
  expect(first.json()).toEqual({ batch: id, duplicate: false, accepted: 2, rejected: [] });
  expect((await post(app, batch([PLAIN_SAMPLE, PLAIN_SAMPLE], id))).json()).toEqual({
    batch: id,
    duplicate: true,
    accepted: 0,
    rejected: [],
  });
  expect(await stored(app)).toEqual([PLAIN_SAMPLE, PLAIN_SAMPLE].map((sample) => ({ ...sample, origin: ORIGIN })));
});

test('an upload of a minute is no wrong clock: what counts is when its request began', async () => {
  const app = await testApp();
  const slowly = Readable.from(
    (async function* () {
      app.clock.now += 60_000;
      yield JSON.stringify(batch([PLAIN_SAMPLE]));
    })(),
  );
  expect((await post(app, slowly)).json()).toMatchObject({ accepted: 1 });
  expect((await stored(app)).map(({ at }) => at)).toEqual([PLAIN_SAMPLE.at]);
});

test('behind a proxy that keeps uploads back, samples keep their order, and a clock that is wrong is put right', async () => {
  const app = await testApp();
  const send = async (transit: number, behind = 0) => {
    const before = (await stored(app)).length;
    app.clock.now += 60_000;
    const sentAt = app.clock.now - transit - behind;
    const sample = { ...PLAIN_SAMPLE, at: sentAt - 1000 };
    const body = JSON.stringify(encodeBatch(ORIGIN, randomUUID(), sentAt, [sample]));
    expect((await post(app, body)).json()).toMatchObject({ accepted: 1 });
    return ((await stored(app))[before]?.at ?? 0) - sample.at;
  };
  expect([await send(24_000), await send(200), await send(200), await send(24_000)]).toEqual([0, 0, 0, 0]);
  // The filter still knows the right clock for as long as it remembers it.
  const late: number[] = [];
  for (let n = 0; n < 9; n++) late.push(await send(200, 20_000));
  expect(late[0]).toBe(0);
  expect(late.at(-1)).toBe(20_200);
  const times = (await stored(app)).map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('the rows of an extension that sends server times in nanoseconds are stored without these, which the fleet counts', async () => {
  const app = await testApp();
  const samples = [PLAIN_SAMPLE, { ...PLAIN_SAMPLE, serverTime: 90_000_000_000 }];
  expect((await post(app, batch(samples))).json()).toMatchObject({ accepted: 2, rejected: [] });
  const { serverTime } = PLAIN_SAMPLE;
  expect((await stored(app)).map((sample) => sample.serverTime)).toEqual([serverTime, null]);
  const fleet = await app.send({
    url: `/api/v1/fleet?${new URLSearchParams({ from: new Date(NOW - 1).toISOString() })}`,
    as: 'admin',
  });
  expect(fleet.json().notKept).toEqual([{ reason: 'bad_server_time', count: 1 }]);
});

test('a bad row is rejected by index and code, the rest stored', async () => {
  const app = await testApp();
  const body = batch([PLAIN_SAMPLE, PLAIN_SAMPLE, PLAIN_SAMPLE]);
  body.columns.status[1] = 9000;
  expect((await post(app, body)).json()).toMatchObject({ accepted: 2, rejected: [{ row: 1, code: 'bad_status' }] });
  expect(await stored(app)).toHaveLength(2);
});

test('a request that its page gave up is counted as abandoned, with the time until then', async () => {
  const app = await testApp();
  const failed = { ...PLAIN_SAMPLE, connection: 'failed', excluded: 'failed', connectionEvidence: 'web_request_error' };
  const body = batch([
    PLAIN_SAMPLE,
    { ...failed, error: 'net::ERR_ABORTED' } as Sample,
    { ...failed, error: 'net::ERR_CONNECTION_RESET' } as Sample,
  ]);
  expect((await post(app, body)).json()).toMatchObject({ accepted: 3 });
  expect((await stored(app)).map(({ excluded, times }) => [excluded, times.ttlb])).toEqual([
    [null, PLAIN_SAMPLE.times.ttlb],
    ['abandoned', PLAIN_SAMPLE.times.ttlb],
    ['failed', PLAIN_SAMPLE.times.ttlb],
  ]);
  const summary = await app.send({ url: '/api/v1/summary?by=host', as: 'admin' });
  expect(summary.json().cells[0].evidence).toMatchObject({ usable: 1, excluded: { abandoned: 1, failed: 1 } });
});

test('gzip', async () => {
  const app = await testApp();
  const body = gzipSync(JSON.stringify(batch([PLAIN_SAMPLE])));
  const answer = await post(app, body, { ...JSON_TYPE, 'content-encoding': 'gzip' });
  expect(answer.json()).toMatchObject({ accepted: 1 });
});

test('the bytes that a browser with an extension of the release before sent are stored', async () => {
  const { sentAt, headers, body } = JSON.parse(await readFile('tests/fixtures/batch-of-version-1.json', 'utf8'));
  const app = await testApp();
  app.clock.now = sentAt + 40;
  const answer = await post(app, Buffer.from(body, 'base64'), headers);
  expect(answer.json()).toMatchObject({ duplicate: false, accepted: 3, rejected: [] });
  const samples = await stored(app);
  expect(samples.map(({ at, template, type, times }) => [at, template, type, times.ttlb])).toEqual([
    [1795645487768, '/', 'document', 281_400],
    [1795645488078, '/script.js', 'script', 146_700],
    [1795645488079, '/orders/{n}/picture', 'image', 306_700],
  ]);
  expect(samples.map(({ unknown }) => unknown.tls)).toEqual(Array(3).fill('plain_http'));
});

test('a batch with more new names than a browser has, and longer than most, is stored', async () => {
  const app = await testApp();
  const samples = Array.from({ length: 1200 }, (_, i) => ({ ...PLAIN_SAMPLE, template: `/many/${i}` }));
  expect((await post(app, batch(samples))).json()).toMatchObject({ accepted: 1200, rejected: [] });
  expect(await stored(app)).toHaveLength(1200);
});

test('columns as bytes, which a development version sent, are refused unread, and the answer names JSON', async () => {
  const app = await testApp();
  let asked = 0;
  const pieces = function* () {
    for (; asked < 64; asked++) yield Buffer.alloc(2 ** 16);
  };
  const headers = { 'content-type': 'application/vnd.lastbyte.batch', 'content-encoding': 'gzip' };
  const answer = await post(app, Readable.from(pieces()), headers);
  expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'unsupported_media_type']);
  expect(answer.json().error.hint).toBe('Send content-type: application/json.');
  expect(asked * 2 ** 16).toBeLessThan(MAX_BODY_BYTES);
  expect((await post(app, batch([PLAIN_SAMPLE]))).json()).toMatchObject({ accepted: 1 });
});

const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
type Body = () => string | Buffer | object;
type Refused = [status: number, code: string, what: string, body: Body, headers?: Record<string, string>];
const REFUSED: Refused[] = [
  [400, 'invalid_json', 'no JSON', () => '{"version":1,'],
  [400, 'invalid_json', 'nothing', () => ''],
  [400, 'invalid_batch', 'JSON that is no batch', () => '[]'],
  [400, 'unsupported_version', 'another version', () => ({ ...batch([PLAIN_SAMPLE]), version: 2 })],
  [413, 'batch_too_large', 'more rows than allowed', () => ({ ...batch([]), n: 5001 })],
  [413, 'batch_too_large', 'more bytes than allowed', () => `"${'x'.repeat(MAX_BODY_BYTES)}"`],
  [
    413,
    'batch_too_large',
    'more bytes than allowed once inflated',
    () => gzipSync(randomBytes(MAX_BODY_BYTES / 2 + 1).toString('hex')),
    gzip,
  ],
  [400, 'invalid_gzip', 'no gzip', () => '{}', gzip],
  [400, 'invalid_gzip', 'half a gzip', () => gzipSync('{"version":1}').subarray(0, 15), gzip],
  [415, 'unsupported_encoding', 'brotli', () => '{}', { ...JSON_TYPE, 'content-encoding': 'br' }],
  [415, 'unsupported_media_type', 'a form', () => 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
  [400, 'invalid_json', 'a name that poisons prototypes, cut short', () => '{"__proto__":{"version":1}'],
];

test.each(REFUSED)(
  '%i %s: %s; nothing is stored and the next batch is taken',
  async (status, code, _what, body, headers) => {
    const app = await testApp();
    const answer = await post(app, body(), headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({
      error: { code, message: expect.stringMatching(/\S/), hint: expect.stringMatching(/\S/) },
    });
    expect(await stored(app)).toEqual([]);
    expect((await post(app, batch([PLAIN_SAMPLE]))).json()).toMatchObject({ accepted: 1 });
  },
);

test('only an ingest key may send', async () => {
  const app = await testApp();
  const payload = batch([PLAIN_SAMPLE]);
  const none = await app.send({ method: 'POST', url: URL, payload });
  expect([none.statusCode, none.json().error.code, none.headers['www-authenticate']]).toEqual([
    401,
    'unauthorized',
    'Bearer',
  ]);
  const wrong = await app.send({ method: 'POST', url: URL, payload, headers: { authorization: 'Bearer lb_ingest_x' } });
  expect([wrong.statusCode, wrong.json().error.code]).toEqual([401, 'unauthorized']);
  for (const as of ['read', 'admin'] as const) {
    const answer = await app.send({ method: 'POST', url: URL, as, payload });
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden']);
  }
  expect(await stored(app)).toEqual([]);
});

test('a wrong key is refused before its body is looked at', async () => {
  const app = await testApp();
  const answer = await app.send({
    method: 'POST',
    url: URL,
    payload: '{',
    headers: { ...JSON_TYPE, authorization: 'Bearer no' },
  });
  expect(answer.statusCode).toBe(401);
});

test('a full disk is 507 and no acknowledgement', async () => {
  const app = await testApp();
  app.store.samples.ingest = () => Promise.reject(new StoreError('store_full', 'the disk is full', 'Make room.'));
  const answer = await post(app, batch([PLAIN_SAMPLE]));
  expect([answer.statusCode, answer.json().error.code]).toEqual([507, 'store_full']);
});

test('beyond the backlog browsers are told when to come back, and the backlog empties', async () => {
  const rows = Array.from({ length: 30 }, () => PLAIN_SAMPLE);
  // One client gets a third of it: three of these.
  const app = await testApp({ maxBytesInFlight: 10.5 * JSON.stringify(batch(rows)).length });
  const ingest = app.store.samples.ingest.bind(app.store.samples);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  (app.store as { samples: Store['samples'] }).samples.ingest = async (ingestion, bodies) => {
    await held;
    return ingest(ingestion, bodies);
  };
  const answers = Array.from({ length: 4 }, () => post(app, batch(rows)));
  const refused = await Promise.race(answers);
  expect([refused.statusCode, refused.json().error.code, refused.headers['retry-after']]).toEqual([503, 'busy', '5']);
  release();
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
  expect((await stored(app)).length).toBe(statuses.filter((status) => status === 200).length * 30);
  expect((await post(app, batch([PLAIN_SAMPLE]))).statusCode).toBe(200);
});
