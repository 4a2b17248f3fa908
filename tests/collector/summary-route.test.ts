import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SummaryDocument } from '../../collector/analysis/summary/summary-document.ts';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { type TestApp, testApp } from './test-app.ts';

const HOUR = 3_600_000;

async function fill({ store }: TestApp, samples: readonly Sample[]): Promise<void> {
  await store.samples.append([
    { id: randomUUID(), receivedAt: NOW, clockCorrection: 0, origin: ORIGIN, columns: toBatchColumns(samples) },
  ]);
}

async function summary(app: TestApp, query = ''): Promise<SummaryDocument> {
  const answer = await app.send({ url: `/api/v1/summary${query}`, as: 'read' });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

test('an empty store answers an empty document that says how it was made', async () => {
  const { method, cells } = await summary(await testApp());
  expect(cells).toEqual([]);
  expect(method).toMatchObject({
    from: new Date(NOW - 24 * HOUR).toISOString(),
    to: new Date(NOW).toISOString(),
    by: ['host', 'type'],
    filters: {},
    exact: true,
    bound: 0,
    versions: { lastbyte: '9.9.9', wire: 1, settings: 0 },
    dataHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(method.rules.join()).toContain('2xx');
});

test('hosts and types, with every class of sample, as declared', async () => {
  const app = await testApp();
  const many = Array.from({ length: 40 }, (_, i) => ({ ...PLAIN_SAMPLE, at: NOW - 1 - i }));
  await fill(app, [
    ...many,
    { ...PLAIN_SAMPLE, status: 401, excluded: 'status' },
    { ...PLAIN_SAMPLE, host: 'cdn.example.com', type: 'image', connection: 'reused' },
    { ...PLAIN_SAMPLE, at: NOW - 24 * HOUR - 1 },
    { ...PLAIN_SAMPLE, at: NOW },
  ]);
  const { cells } = await summary(app, `?to=${new Date(NOW).toISOString()}`);
  expect(cells.map(({ host, type, samples }) => [host, type, samples])).toEqual([
    ['cdn.example.com', 'image', 1],
    ['erp.example.com', 'document', 41],
  ]);
  expect(cells[1]).toMatchObject({
    evidence: { usable: 40, excluded: { status: 1 } },
    connections: { new: 41 },
    status: { 200: 40, 401: 1 },
    phases: { ttlb: { n: 40, median: 146.9, mean: 146.9 } },
    setup: { perConnection: { n: 40, median: 83.1 } },
  });
  // Without an end it is all that is known by now.
  expect((await summary(app)).cells.map(({ samples }) => samples)).toEqual([1, 42]);
});

test('browsers can be told apart, from the samples', async () => {
  const app = await testApp();
  await fill(app, [PLAIN_SAMPLE, { ...PLAIN_SAMPLE, at: PLAIN_SAMPLE.at - 1 }]);
  const { browser } = ORIGIN;
  const { cells } = await summary(app, '?by=browser');
  expect(cells.map((cell) => [cell.browser, cell.samples])).toEqual([[browser, 2]]);
  expect((await summary(app, `?browser=${browser}`)).cells).toHaveLength(1);
  const other = browser === 'firefox' ? 'chromium' : 'firefox';
  const { cells: none, method } = await summary(app, `?browser=${other}`);
  expect(none).toEqual([]);
  expect(method.filters).toEqual({ browser: [other] });
});

test('filters repeat, and group by what is asked', async () => {
  const app = await testApp();
  await fill(app, [
    { ...PLAIN_SAMPLE, type: 'script' },
    { ...PLAIN_SAMPLE, type: 'image' },
    { ...PLAIN_SAMPLE, type: 'font' },
  ]);
  const document = await summary(app, '?by=connection,site&type=script&type=font&host=erp.example.com');
  expect(document.method).toMatchObject({
    by: ['connection', 'site'],
    filters: { type: ['font', 'script'], host: ['erp.example.com'] },
  });
  expect(document.cells).toMatchObject([{ connection: 'new', site: 'Hannover', samples: 2 }]);
});

test('filters that exclude repeat too, and are stated', async () => {
  const app = await testApp();
  await fill(app, [
    { ...PLAIN_SAMPLE, type: 'script' },
    { ...PLAIN_SAMPLE, type: 'image' },
    { ...PLAIN_SAMPLE, type: 'font', host: 'cdn.example.com' },
  ]);
  const typesOf = async (query: string) => (await summary(app, `?by=type&${query}`)).cells.map(({ type }) => type);
  expect(await typesOf('not.type=image&not.type=font')).toEqual(['script']);
  expect(await typesOf('not.host=cdn.example.com&not.type=script')).toEqual(['image']);
  expect(await typesOf('not.browser=chromium')).toEqual([]);
  expect((await summary(app, '?not.type=font&not.type=image')).method.filters).toEqual({
    'not.type': ['font', 'image'],
  });
  const refused = await app.send({ url: '/api/v1/summary?not.type=picture', as: 'read' });
  expect(refused.json().error).toMatchObject({
    code: 'invalid_parameter',
    message: '“picture” is not a value of type',
    hint: expect.stringMatching(/^The filter not\.type takes document/),
  });
});

test('the range is inclusive at its start and exclusive at its end, in any time zone', async () => {
  const app = await testApp();
  await fill(
    app,
    [0, 1, 2].map((minute) => ({ ...PLAIN_SAMPLE, at: NOW + minute * 60_000 })),
  );
  const { cells, method } = await summary(app, '?from=2026-03-01T13:00:00%2B01:00&to=2026-03-01T12:02:00.000Z');
  expect(cells.map(({ samples }) => samples)).toEqual([2]);
  expect(method).toMatchObject({ from: '2026-03-01T12:00:00.000Z', to: '2026-03-01T12:02:00.000Z' });
});

test('the same data give the same hash', async () => {
  const app = await testApp();
  await fill(app, [PLAIN_SAMPLE]);
  const before = (await summary(app)).method.dataHash;
  expect((await summary(app)).method.dataHash).toBe(before);
  await fill(app, [PLAIN_SAMPLE]);
  expect((await summary(app)).method.dataHash).not.toBe(before);
});

test.each([
  ['unknown_parameter', 'hots=erp.example.com'],
  ['unknown_parameter', '__proto__=1'],
  ['unknown_parameter', 'constructor=1'],
  ['invalid_parameter', 'by=host,colour'],
  ['invalid_parameter', 'by='],
  ['invalid_parameter', 'type=scirpt'],
  ['invalid_parameter', 'host='],
  ['invalid_parameter', `host=${'a'.repeat(301)}`],
  ['invalid_parameter', Array.from({ length: 101 }, (_, i) => `host=${i}`).join('&')],
  ['invalid_parameter', 'from=2026-03-01T00:00:00Z&from=2026-03-02T00:00:00Z'],
  ['invalid_time', 'from=yesterday'],
  ['invalid_time', 'from=2026-03-01'],
  ['invalid_time', 'from=2026-03-01T00:00:00'],
  ['invalid_time', 'from=2026-02-30T00:00:00Z'],
  ['invalid_time', 'from=2026-13-01T00:00:00Z'],
  ['invalid_time', 'from=2026-03-01T00:00:00+01:00'],
  ['invalid_range', 'from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00Z'],
])('400 %s: %s', async (code, query) => {
  const app = await testApp();
  const answer = await app.send({ url: `/api/v1/summary?${query}`, as: 'read' });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toMatchObject({ code, hint: expect.stringMatching(/\S/) });
});

test('readers and admins read; browsers and strangers do not', async () => {
  const app = await testApp();
  const statuses = ['read', 'admin', 'ingest', undefined].map(async (as) => {
    const options = { url: '/api/v1/summary' };
    return (await app.send(as === undefined ? options : { ...options, as: as as 'read' })).statusCode;
  });
  expect(await Promise.all(statuses)).toEqual([200, 200, 403, 401]);
});
