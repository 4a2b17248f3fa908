import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { EXPORT_COLUMNS } from '../../collector/exchange/export/export-columns.ts';
import { EXPORT_FORMAT_NAMES, type ExportFormatName } from '../../collector/exchange/export/export-formats.ts';
import { runExport } from '../../collector/exchange/export/run-export.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { Sample, StoredSample } from '../../shared/sample/sample.ts';
import { PHASES } from '../../shared/vocabulary/time-names.ts';
import { arbitrarySample, NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { HarSchema } from './har-12-schema.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const RANGE = { from: NOW - 8 * 24 * 3_600_000, to: NOW + 1 };
const FORMULA = '=cmd|\'/C calc\'!A1,"x"';
const HOSTILE: Sample = {
  ...PLAIN_SAMPLE,
  connection: 'failed',
  excluded: 'failed',
  tls: { version: 'TLSv1.3', cipher: null, keyExchange: null, issuer: FORMULA },
};

/** Samples of three browsers, each over the whole time, so that their chunks overlap. */
async function filledStore(): Promise<{ store: Store; folder: string }> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'server' });
  const samples = fc.sample(arbitrarySample, { seed: 8, numRuns: 240 });
  await fill(store, samples.slice(0, 80), { client: browserId(1) });
  await fill(store, [...samples.slice(80, 160), HOSTILE], { client: browserId(2), site: 'Köln, "Süd"' });
  await fill(store, samples.slice(160), { client: browserId(3), site: '=2+3', browser: 'firefox', clockStep: 1000 });
  return { store, folder };
}

async function exported(store: Store, format: ExportFormatName, filters = {}): Promise<Buffer> {
  const { bytes } = await runExport(
    { store, version: '1', viewer: SEES_EVERYTHING },
    { format, range: RANGE, filters },
  );
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function scanned(store: Store): Promise<StoredSample[]> {
  const samples: StoredSample[] = [];
  for await (const block of store.samples.scan({ range: RANGE, filters: {} })) samples.push(...block);
  return samples;
}

async function ask(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows as Record<string, unknown>[];
}

test('DuckDB reads the Parquet and the CSV: every row, every sum, and the types', async () => {
  const { store, folder } = await filledStore();
  const samples = await scanned(store);
  const sum = (of: (sample: StoredSample) => number | null) =>
    samples.reduce((total, one) => total + (of(one) ?? 0), 0);
  const expected = {
    n: String(samples.length),
    ...Object.fromEntries(PHASES.map((phase) => [phase, sum(({ times }) => times[phase])])),
    ttlb: sum(({ times }) => times.ttlb),
    bytes: String(sum(({ transferSize }) => transferSize)),
    unknown: String(samples.filter(({ times }) => times.tls === null).length),
    sites: ["'=2+3", 'Hannover', 'Köln, "Süd"'],
    first: samples[0]?.at,
    last: samples.at(-1)?.at,
  };
  const question = (file: string) => `SELECT count(*) AS n,
    ${[...PHASES, 'ttlb'].map((name) => `sum(round(${name}Ms * 1000)) AS ${name}`).join(', ')},
    sum(transferSize)::VARCHAR AS bytes, count(*) FILTER (tlsMs IS NULL) AS unknown,
    list(DISTINCT site ORDER BY site) AS sites,
    epoch_ms(first(startedAt))::DOUBLE AS first, epoch_ms(last(startedAt))::DOUBLE AS last FROM ${file}`;

  const parquet = join(folder, 'samples.parquet');
  await writeFile(parquet, await exported(store, 'parquet'));
  const [fromParquet] = await ask(question(`'${parquet}'`));
  expect(fromParquet).toEqual({ ...expected, sites: ['=2+3', 'Hannover', 'Köln, "Süd"'] });
  const types = await ask(`DESCRIBE SELECT * FROM '${parquet}'`);
  const kinds = { time: 'TIMESTAMP', text: 'VARCHAR', json: 'VARCHAR', whole: 'BIGINT', ms: 'DOUBLE' };
  expect(types.map((row) => [row.column_name, row.column_type])).toEqual(
    EXPORT_COLUMNS.map(({ name, kind }) => [name, kinds[kind]]),
  );

  const csv = join(folder, 'samples.csv');
  await writeFile(csv, await exported(store, 'csv'));
  const [fromCsv] = await ask(question(`read_csv('${csv}', header = true, nullstr = '', all_varchar = false)`));
  expect(fromCsv).toEqual(expected);
  await store.close();
});

test('the CSV begins with a byte order mark, ends lines with CRLF and holds no formula', async () => {
  const { store } = await filledStore();
  const text = (await exported(store, 'csv')).toString();
  expect(text.startsWith(`\uFEFF${EXPORT_COLUMNS.map(({ name }) => name).join(',')}\r\n`)).toBe(true);
  expect(text).toContain(`"'=cmd|'/C calc'!A1,""x"""`);
  expect(/(^|,|\n)"?[=+@]/.test(text)).toBe(false);
  expect(text.split('\r\n').length).toBe((await scanned(store)).length + 2);
  await store.close();
});

test('NDJSON holds every sample as it is, unknown as null', async () => {
  const { store } = await filledStore();
  const lines = (await exported(store, 'ndjson')).toString().trimEnd().split('\n');
  const samples = await scanned(store);
  expect(lines).toHaveLength(samples.length);
  lines.forEach((line, place) => {
    const sample = samples[place] as StoredSample;
    const row = JSON.parse(line);
    expect(Object.keys(row)).toEqual(EXPORT_COLUMNS.map(({ name }) => name));
    expect(row).toMatchObject({
      startedAt: new Date(sample.at).toISOString(),
      host: sample.host,
      client: sample.origin.client,
      error: sample.error,
      tlsMs: sample.times.tls === null ? null : sample.times.tls / 1000,
      idleMs: sample.idleMs,
      clockStepMs: sample.origin.clockStep / 1000,
      metrics: Object.keys(sample.metrics).length === 0 ? null : { ...sample.metrics },
    });
  });
  await store.close();
});

test('the HAR is valid HAR 1.2, and its timings add up to the whole', async () => {
  const { store } = await filledStore();
  const har = JSON.parse((await exported(store, 'har')).toString());
  expect(Value.Errors(HarSchema, har)).toEqual([]);
  const samples = await scanned(store);
  expect(har.log.entries).toHaveLength(samples.length);
  for (const [place, entry] of har.log.entries.entries()) {
    const { blocked, dns, connect, send, wait, receive, ssl } = entry.timings;
    const parts = [blocked, dns, connect, send, wait, receive];
    expect(entry.time).toBeCloseTo(
      parts.reduce((sum, part) => sum + Math.max(part, 0), 0),
      6,
    );
    expect(ssl === -1 || connect === -1 || ssl <= connect).toBe(true);
    const { times, connection } = samples[place] as StoredSample;
    if (times.wait !== null) expect(wait).toBe(times.wait / 1000);
    if (times.ttlb !== null) expect(entry.time).toBe(times.ttlb / 1000);
    if (connection === 'reused') expect([dns, connect, ssl]).toEqual([-1, -1, -1]);
  }
  expect(har.log.pages.map(({ id }: { id: string }) => id).sort()).toEqual(['crm-2', 'erp']);
  await store.close();
});

test.each(EXPORT_FORMAT_NAMES)('%s of nothing is a whole file, and filters filter', async (format) => {
  const { store, folder } = await filledStore();
  const empty = await exported(store, format, { host: ['nowhere.example.com'] });
  if (format === 'har') expect(JSON.parse(empty.toString()).log.entries).toEqual([]);
  if (format === 'csv') expect(empty.toString().split('\r\n')).toHaveLength(2);
  if (format === 'ndjson') expect(empty).toHaveLength(0);
  if (format === 'parquet') {
    const file = join(folder, 'empty.parquet');
    await writeFile(file, empty);
    expect(await ask(`SELECT count(*) AS n FROM '${file}'`)).toEqual([{ n: '0' }]);
  }
  const samples = (await scanned(store)).filter(({ host, type }) => host === '10.0.0.7' && type !== 'font');
  const types = [...new Set(samples.map(({ type }) => type))];
  const lines = (await exported(store, 'ndjson', { host: ['10.0.0.7'], type: types })).toString().trimEnd().split('\n');
  expect(lines).toHaveLength(samples.length);
  await store.close();
});

test('over HTTP admins get everything, viewers no browser and nothing that few stand behind', async () => {
  const { store, send } = await testApp();
  for (let browser = 1; browser <= 25; browser++) {
    const often = [PLAIN_SAMPLE, PLAIN_SAMPLE].map((sample) => ({ ...sample, template: '/often' }));
    const rows = [PLAIN_SAMPLE, ...often, ...(browser === 1 ? [{ ...PLAIN_SAMPLE, template: '/salary/{n}' }] : [])];
    await fill(store, rows, { client: browserId(browser) });
  }
  const url = '/api/v1/export?format=ndjson';
  const forAdmin = await send({ url, as: 'admin' });
  expect(forAdmin.statusCode).toBe(200);
  expect(forAdmin.headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="lastbyte-\d{4}-\d\d-\d\d\.ndjson"$/),
    'x-lastbyte-left-out': 'none',
  });
  expect(forAdmin.body.match(/"client":"c0ffee/g)).toHaveLength(76);

  const forViewer = await send({ url, as: 'read' });
  // The one row, and the next smallest group: the total less all others would tell it.
  expect(forViewer.headers['x-lastbyte-left-out']).toBe('some');
  expect(forViewer.body.trimEnd().split('\n')).toHaveLength(50);
  expect(forViewer.body).not.toMatch(/c0ffee|salary|browserVersion|idleMs/);

  expect((await send({ url, as: 'ingest' })).statusCode).toBe(403);
  const unknown = await send({ url: '/api/v1/export?format=xlsx', as: 'read' });
  expect(unknown.json().error).toMatchObject({
    code: 'invalid_parameter',
    hint: 'format takes csv, ndjson, parquet, har.',
  });
  expect((await send({ url: '/api/v1/export?colour=red', as: 'read' })).json().error.code).toBe('unknown_parameter');
});

/** A column of nobody's: what no viewer may be able to tell the rows of one browser by. */
const ONE_PERSON: Sample = {
  ...PLAIN_SAMPLE,
  connectionEvidence: 'taken_over',
  handshake: 'resumed',
  handshakeEvidence: 'server_timing',
  error: 'NS_ERROR_ODD_PROXY',
  unknown: { dns: 'firefox_dns' },
  times: { ...PLAIN_SAMPLE.times, dns: null },
  responseMark: 'web_request',
  transferSize: 987_651,
  encodedBodySize: 987_652,
  decodedBodySize: 987_653,
  idleMs: 987_654,
  metrics: { odd: 1 },
  tls: { version: 'TLSv1.2', cipher: 'ODD_CIPHER', keyExchange: 'odd_exchange', issuer: 'Home Antivirus Root' },
};
const ODD =
  /taken_over|resumed|server_timing|ODD_PROXY|firefox_dns|web_request|98765\d|"odd"|TLSv|ODD_CIPHER|odd_exchange|Antivirus|77\.7|7\.7\.7|c0ffee/;

test.each(EXPORT_FORMAT_NAMES)(
  'viewers get no column in %s that one browser could be told by within a group that is shown',
  async (format) => {
    const { store, send } = await testApp();
    for (let browser = 1; browser <= 25; browser++) {
      const odd = browser === 1;
      await fill(store, [odd ? ONE_PERSON : PLAIN_SAMPLE], {
        client: browserId(browser),
        browser: 'firefox',
        ...(odd ? { browserVersion: '77.7', extensionVersion: '7.7.7', clockStep: 777 } : {}),
      });
    }
    const body = async (as: 'read' | 'admin') => {
      const { rawPayload } = await send({ url: `/api/v1/export?format=${format}`, as });
      if (format !== 'parquet') return rawPayload.toString();
      const file = join(await temporaryFolder(), 'samples.parquet');
      await writeFile(file, rawPayload);
      return JSON.stringify(await ask(`SELECT * FROM '${file}'`));
    };
    expect((await body('read')).match(/\/orders/g)).toHaveLength(25);
    expect(await body('read')).not.toMatch(ODD);
    expect(await body('admin')).toMatch(ODD);
  },
);

test('viewers get a closed list of columns, and rows are judged by each word in it that one browser may stick to', async () => {
  const { store, send } = await testApp();
  for (let browser = 1; browser <= 25; browser++) {
    const own: Partial<Sample> =
      browser === 1 ? { protocol: 'http/1.1' } : browser === 2 ? { source: 'probe-https-new' } : {};
    await fill(store, [{ ...PLAIN_SAMPLE, ...own }], { client: browserId(browser) });
  }
  const { body } = await send({ url: '/api/v1/export?format=ndjson', as: 'read' });
  const rows = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(Object.keys(rows[0])).toEqual([
    ...[
      'startedAt',
      'target',
      'site',
      'host',
      'scheme',
      'template',
      'type',
      'protocol',
      'source',
      'connection',
      'scenario',
    ],
    ...[
      'excluded',
      'status',
      'blockedMs',
      'dnsMs',
      'tcpMs',
      'tlsMs',
      'waitMs',
      'receiveMs',
      'redirectMs',
      'ttfbMs',
      'ttlbMs',
    ],
    ...['serverTimeMs', 'journey', 'step', 'browser'],
  ]);
  expect(new Set(rows.map(({ protocol, source }) => `${protocol} ${source}`))).toEqual(new Set(['h2 page']));
  expect(rows).toHaveLength(23);
});
