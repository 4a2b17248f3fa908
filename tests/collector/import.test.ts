import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HAR_FAULTS } from '../../collector/exchange/import/har-timing-entry.ts';
import { importHar } from '../../collector/exchange/import/import-har.ts';
import { createNameBounds } from '../../collector/ingest/bounds/name-bounds.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { Sample, StoredSample } from '../../shared/sample/sample.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { runHere } from './command.ts';
import { browserId, fill } from './fill-store.ts';
import { heardBrowsers } from './read-fleet.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testApp } from './test-app.ts';

const TARGETS = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];
/** A process takes a second, or ten on a busy machine. */
const MANY_PROCESSES_MS = 180_000;
const EVERYTHING = { range: { from: 0, to: NOW * 2 }, filters: {} };

function entry(path: string, at: number, timings: object = {}) {
  return {
    pageref: 'page_1',
    startedDateTime: new Date(at).toISOString(),
    time: 100,
    request: { method: 'GET', url: `https://erp.example.com${path}`, httpVersion: 'h2' },
    response: {
      status: 200,
      httpVersion: 'h2',
      headers: [],
      content: { size: 10, mimeType: 'text/html' },
      bodySize: 9,
    },
    cache: {},
    timings: { blocked: 0, dns: 0, connect: 60, ssl: 30, send: 0, wait: 39, receive: 1, ...timings },
  };
}

function har(entries: readonly unknown[], browser = { name: 'Firefox', version: '128.0' }) {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, browser, entries } });
}

function bring(store: Store, file: string, changes = {}) {
  return importHar(file, {
    targets: TARGETS,
    target: null,
    source: 'har',
    samples: store.samples,
    names: createNameBounds(),
    site: '',
    keptFrom: 0,
    now: NOW,
    ...changes,
  });
}

async function samplesOf(store: Store): Promise<StoredSample[]> {
  const samples: StoredSample[] = [];
  for await (const block of store.samples.scan(EVERYTHING)) samples.push(...block);
  return samples;
}

test('a recording of years ago is imported once, whatever is broken in it is listed', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  const file = join(folder, 'old.har');
  const old = Date.UTC(2012, 5, 1);
  const good = Array.from({ length: 2100 }, (_, place) => entry(`/orders/${place}`, old + place));
  const broken = [7, { ...entry('/x', old), timings: null }, entry('/way-too-long', old, { wait: 1e12 })];
  await writeFile(file, har([...good.slice(0, 10), ...broken, ...good.slice(10)]));

  const first = await bring(store, file);
  expect(first).toEqual({
    entries: 2103,
    accepted: 2101,
    duplicates: 0,
    unreadable: 2,
    faults: [
      { entry: 10, reason: 'not_an_entry' },
      { entry: 11, reason: 'no_timings' },
    ],
    reasons: { not_an_entry: 1, no_timings: 1 },
    syntax: null,
    pageTimings: 0,
    oldest: old,
  });
  const again = await bring(store, file);
  expect(again).toMatchObject({ accepted: 0, duplicates: 2101, unreadable: 2 });
  await store.maintenance.prune(old + 20 * 86_400_000, { sampleDays: 8, hourDays: 8, dayDays: 8, monthDays: null });
  // Upkeep of a month later forgets the ids of ordinary batches.
  expect(await bring(store, file)).toMatchObject({ accepted: 0, duplicates: 2101 });
  expect(await heardBrowsers(store, EVERYTHING.range)).toEqual([]);
  await store.close();
});

test('rollups keep recordings apart as well', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const hour = Date.UTC(2026, 1, 1, 12);
  await fill(store, [{ ...PLAIN_SAMPLE, at: hour }]);
  const file = join(await temporaryFolder(), 'a.har');
  await writeFile(file, har([entry('/a', hour), entry('/b', hour)]));
  await bring(store, file);
  await store.maintenance.finalize(NOW);
  // Only rollups are left to answer from.
  await store.maintenance.prune(NOW, { sampleDays: 8, hourDays: 90, dayDays: 731, monthDays: null });
  expect(await samplesOf(store)).toEqual([]);
  const range = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 2) };
  const count = async (filters: object) => {
    const { cells } = await store.samples.aggregate({ range, filters, by: [] });
    return cells.map(({ samples }) => samples);
  };
  expect(await count({})).toEqual([1]);
  expect(await count({ source: ['har'] })).toEqual([2]);
  expect(await count({ source: ['har', 'page'] })).toEqual([3]);
  await store.close();
});

test('samples of a recording carry its source, its browser and a number of its own', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  const file = join(folder, 'a.har');
  await writeFile(file, har([entry('/orders/4711?token=secret', NOW)]));
  await bring(store, file, { source: 'har-before', site: 'lab' });
  // Browsers unpack downloads, or not, and leave their names.
  const packed = join(folder, 'b.har');
  await writeFile(packed, gzipSync(har([entry('/b', NOW + 1)], { name: 'Chrome', version: '156.0.1' })));
  await bring(store, packed, { source: 'har-before' });
  const [first, second] = await samplesOf(store);
  expect(first).toMatchObject({
    source: 'har-before',
    template: '/orders/{n}',
    times: { tcp: 30_000, tls: 30_000, wait: 39_000 },
    origin: { site: 'lab', browser: 'firefox', browserVersion: '128.0', extensionVersion: 'har' },
  });
  expect(second?.origin).toMatchObject({ browser: 'chromium', browserVersion: '156.0.1' });
  expect(first?.origin.client).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(first?.origin.client).not.toBe(second?.origin.client);
  await store.close();
});

test('gzip that ends early is read up to there, as a file that does; damaged gzip is refused', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  const paths = Array.from({ length: 300 }, () => `/${randomBytes(40).toString('hex')}`);
  const text = har(paths.map((path, place) => entry(path, NOW + place)));
  const packed = gzipSync(text);
  const file = join(folder, 'cut.har.gz');
  const readCut = async (bytes: number, source: string) => {
    await writeFile(file, packed.subarray(0, bytes));
    return bring(store, file, { source });
  };
  const half = await readCut(packed.length / 2, 'har-half');
  expect(half).toMatchObject({ reasons: { cut_off: 1 }, unreadable: 1 });
  expect(half.syntax?.message).toMatch(/^the file ends /);
  expect(half.accepted).toBeGreaterThan(100);
  expect(half.accepted).toBe(half.entries - 1);
  // Without its checksum; without the last byte of it.
  for (const missing of [8, 1]) {
    const read = await readCut(packed.length - missing, `har-${missing}`);
    expect(read).toMatchObject({ accepted: 300, unreadable: 0, syntax: null });
  }
  for (const start of [2, 10, 11]) await expect(readCut(start, 'har-start')).rejects.toThrow('the file ends');
  const damaged = Buffer.from(packed);
  damaged.fill(0xff, packed.length >> 1, (packed.length >> 1) + 64);
  await writeFile(file, damaged);
  await expect(bring(store, file, { source: 'har-damaged' })).rejects.toMatchObject({
    code: expect.stringMatching(/^Z_/),
  });
  await writeFile(file, Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from('no gzip at all')]));
  await expect(bring(store, file, { source: 'har-garbage' })).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  await store.close();
});

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/har/${name}.har`, import.meta.url));

test('entries of impossible years are refused, the others stored, and none in quarantine', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  expect(await bring(store, fixture('years'))).toMatchObject({ accepted: 2, reasons: { bad_time: 1, bad_year: 1 } });
  await store.maintenance.finalize(NOW);
  expect((await samplesOf(store)).map(({ at }) => new Date(at).getUTCDate())).toEqual([20, 21]);
  expect(await store.maintenance.quarantine()).toEqual([]);
  await store.close();
});

test('a browser without an extension of ours keeps its name, and can be asked for', async () => {
  const { store, send } = await testApp();
  await bring(store, fixture('internet-explorer-11'));
  const { body } = await send({
    url: '/api/v1/export?format=ndjson&source=har&browser=ie&from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z',
    as: 'admin',
  });
  expect(JSON.parse(body)).toMatchObject({ browser: 'ie', browserVersion: '11.0.9600.18315', connection: 'unknown' });
});

test('what stands behind the entries tells how to read them', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  const file = join(await temporaryFolder(), 'behind.har');
  const silent = { blocked: 0, dns: 0, connect: 0, ssl: 0 };
  const first = { ...entry('/a', NOW, silent), request: { method: 'GET', url: 'https://cdn.example.net/a.css' } };
  const many = Array.from({ length: 2000 }, (_, place) => entry(`/${place}`, NOW + place, silent));
  const pages = [{ id: 'page_1', title: 'https://erp.example.com/', pageTimings: { onLoad: 900 } }];
  const log = { entries: [first, ...many], pages, browser: { name: 'Firefox', version: '128.0' }, creator: {} };
  await writeFile(file, JSON.stringify({ log }));
  expect(await bring(store, file)).toMatchObject({ accepted: 2001, unreadable: 0, pageTimings: 1 });
  const samples = await samplesOf(store);
  expect(new Set(samples.map(({ connection }) => connection))).toEqual(new Set(['unknown']));
  expect(new Set(samples.map(({ origin }) => origin.browser))).toEqual(new Set(['firefox']));
  expect(samples.some(({ host }) => host === 'cdn.example.net')).toBe(true);
  await store.close();
});

test('what was pruned is not brought back', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  await fill(store, [{ ...PLAIN_SAMPLE, at: NOW }]);
  await store.maintenance.finalize(NOW + 1);
  await store.maintenance.prune(NOW + 86_400_000, { sampleDays: 8, hourDays: 90, dayDays: 731, monthDays: null });
  const file = join(folder, 'a.har');
  await writeFile(file, har([entry('/old', Date.UTC(2020, 0)), entry('/new', NOW)]));
  expect(await bring(store, file, { keptFrom: await store.maintenance.keptFrom() })).toMatchObject({
    accepted: 1,
    faults: [{ entry: 0, reason: 'older_than_kept' }],
  });
  await store.close();
});

test(
  'no answer about users changes by an import, unless its source is asked for',
  async () => {
    const { store, send } = await testApp();
    for (let browser = 1; browser < 4; browser++) {
      await fill(store, [PLAIN_SAMPLE, { ...PLAIN_SAMPLE, connection: 'reused' }], { client: browserId(browser) });
    }
    const range = 'from=2026-02-01T00:00:00Z&to=2026-03-05T00:00:00Z';
    const questions = [
      'summary?by=host,type',
      'summary?by=template',
      'summary?include=gapCuts,peaks,overheads,requestsPerConnection,serverShares',
      'histogram?',
      'histogram?time=idle',
      'timeline?step=1h',
      'timeline?step=1m',
      'compare?',
      'pages?',
      'evidence?',
      ...['scenarios', 'phases', 'pages', 'ratios', 'probes'].map((view) => `report?view=${view}`),
      'export?format=ndjson',
    ];
    const ask = async (source: string) => {
      const answers: Record<string, unknown> = {};
      for (const question of questions) {
        const { body, statusCode } = await send({ url: `/api/v1/${question}&${range}${source}`, as: 'admin' });
        if (statusCode >= 400) {
          answers[question] = statusCode;
          continue;
        }
        const { method: _how, ...answer } = question.startsWith('export') ? { method: 0, body } : JSON.parse(body);
        answers[question] = answer;
      }
      return answers;
    };
    for (const rolledUp of [false, true]) {
      if (rolledUp) await store.maintenance.finalize(NOW + 40 * 86_400_000);
      const before = await ask('');
      const file = join(await temporaryFolder(), 'a.har');
      const slow = Array.from({ length: 50 }, (_, place) =>
        entry(`/slow/${rolledUp}/${place}`, NOW - place, { wait: 4000 }),
      );
      await writeFile(file, har(slow));
      await bring(store, file);
      if (rolledUp) await store.maintenance.finalize(NOW + 40 * 86_400_000);
      expect(await ask('')).toEqual(before);
      expect(JSON.stringify(await ask('&source=har'))).toContain('4000');
    }
  },
  MANY_PROCESSES_MS,
);

test(
  'the command imports, says what it left out, and tells an unreadable file from a broken entry',
  async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const settings = join(folder, 'settings.json');
    await writeFile(settings, JSON.stringify({ version: 1, targets: TARGETS }));
    await runHere(['settings', 'apply', settings, '--data', data, '--create']);
    const [good, page, cutOff, other] = ['good.har', 'page.har', 'cut.har', 'other.json'].map((name) =>
      join(folder, name),
    );
    await writeFile(good ?? '', har([entry('/a', NOW), entry('/b', NOW), 'nonsense']));
    await writeFile(other ?? '', '{"log": {"pages": []}}');
    await writeFile(page ?? '', '<!doctype html><p>not a recording');
    await writeFile(cutOff ?? '', har([entry('/c', NOW), entry('/d', NOW)]).slice(0, -60));

    const args = ['import', 'har', '--label', 'before', '--data', data];
    const { code, stdout, stderr } = await runHere([
      ...args,
      good ?? '',
      page ?? '',
      cutOff ?? '',
      other ?? '',
      `${folder}/no.har`,
      '--json',
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('nothing was imported from') });
    expect(JSON.parse(stdout)).toMatchObject([
      { accepted: 2, unreadable: 1, faults: [{ entry: 2, reason: 'not_an_entry' }], error: null },
      {
        accepted: 0,
        error: 'it is not a HAR: it stops being JSON at line 1, column 1 (byte 0): < where a value is expected',
      },
      {
        accepted: 1,
        faults: [{ entry: 1, reason: 'cut_off' }],
        syntax: { line: 1, message: 'the file ends where : is expected' },
        error: null,
      },
      { accepted: 0, error: 'it is not a HAR: there is no log.entries in it' },
      { accepted: 0, error: 'it cannot be read (ENOENT)' },
    ]);
    const again = await runHere([...args, good ?? '']);
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(again.stderr).toContain(
      '0 of 3 entries imported, 2 had been imported before, 1 left out:\n  1 ×: it is not an object (entry 2)',
    );
    const all = [
      'export',
      '--format',
      'har',
      '--from',
      '2026-02-01T00:00:00Z',
      '--to',
      '2026-04-01T00:00:00Z',
      '--data',
      data,
    ];
    const exported = await runHere([...all, '--filter', 'source=har-before']);
    expect(JSON.parse(exported.stdout).log.entries).toHaveLength(3);
    expect(JSON.parse((await runHere(all)).stdout).log.entries).toHaveLength(0);

    const zoneless = join(folder, 'zoneless.har');
    const local = { ...entry('/local', NOW), startedDateTime: '2026-02-28T12:00:00.000' };
    await writeFile(zoneless, har([local, local]));
    const nothing = await runHere([...args, zoneless]);
    expect(nothing.code).toBe(1);
    expect(nothing.stderr).toContain(`  2 ×: ${HAR_FAULTS.no_zone} (entry 0, 1)`);
    expect(nothing.stderr).toContain(`nothing was imported from ${zoneless}`);
    expect((await runHere([...args, '--zone', 'Europe/Berlin', zoneless])).code).toBe(0);

    expect((await runHere([...args, '--zone', 'Berlin', zoneless])).code).toBe(2);
    expect((await runHere([...args, '--target', 'crm', good ?? ''])).code).toBe(2);
    expect((await runHere(['import', 'har', '--label', 'No Good', good ?? '', '--data', data])).code).toBe(2);
  },
  MANY_PROCESSES_MS,
);

test('a HAR that Lastbyte wrote gives the samples again, each of its browser', async () => {
  const { store, send } = await testApp();
  const reused: Sample = {
    ...PLAIN_SAMPLE,
    connection: 'reused',
    times: { ...PLAIN_SAMPLE.times, dns: 0, tcp: 0, tls: 0, ttfb: 61_300, ttlb: 63_800 },
  };
  await fill(store, [PLAIN_SAMPLE, { ...PLAIN_SAMPLE, host: 'cdn.example.net' }], { client: browserId(1) });
  await fill(store, [reused], { client: browserId(2), browser: 'firefox', browserVersion: '128.0', site: 'Köln' });
  const { body } = await send({ url: '/api/v1/export?format=har', as: 'admin' });
  const file = join(await temporaryFolder(), 'own.har');
  await writeFile(file, body);
  expect(await bring(store, file)).toMatchObject({ accepted: 3, unreadable: 0 });
  expect(await bring(store, file)).toMatchObject({ accepted: 0, duplicates: 3 });
  const read = await samplesOf(store);
  const plain = (samples: StoredSample[]) =>
    samples.map(({ source: _own, origin: { site, browser, browserVersion }, ...sample }) =>
      JSON.stringify({ ...sample, site, browser, browserVersion }),
    );
  const [own, users] = [true, false].map((imported) => read.filter(({ source }) => (source === 'har') === imported));
  expect(plain(own ?? []).sort()).toEqual(plain(users ?? []).sort());
  expect(new Set(own?.map(({ origin }) => origin.client)).size).toBe(2);
  expect(own?.some(({ origin }) => origin.client.startsWith('c0ffee'))).toBe(false);
  expect(await readFile(file, 'utf8')).toContain('%7Bn%7D');
});

test('a report on a month of a recording has its edges in the zone, and claims no change from 1 against 2 requests', async () => {
  const app = await testApp();
  const folder = await temporaryFolder();
  const at = (startedDateTime: string, wait: number) => ({
    ...entry(`/at-${wait}`, 0, { connect: -1, ssl: -1, wait: wait - 1 }),
    startedDateTime,
  });
  const file = join(folder, 'edges.har');
  const edges = [
    at('2026-01-31T23:50:00.000+05:30', 9000),
    at('2026-02-01T00:10:00.000+05:30', 100),
    at('2026-02-28T23:50:00.000+05:30', 100),
    at('2026-03-01T00:10:00.000+05:30', 9000),
  ];
  await writeFile(file, har(edges));
  await bring(app.store, file);
  const query = 'month=2026-02&zone=Asia/Kolkata&source=har';
  const report = async (more: string) => (await app.send({ url: `/api/v1/report?${query}&${more}`, as: 'admin' })).body;
  const { whole, wholeBefore, change, notCompared } = JSON.parse(await report('format=json'));
  expect(whole.phases.ttlb).toMatchObject({ n: 2, median: 100 });
  expect(wholeBefore.phases.ttlb).toMatchObject({ n: 1, median: 9000 });
  expect([change, notCompared]).toEqual([null, 'few_samples']);
  const text = (await report('format=text')).replace(/\s+/g, ' ');
  expect(text).toContain('There are too few requests for a comparison with the period before: each needs at least 30.');
  expect(text).not.toMatch(/certain(ty)?\b|noise/);
  const german = (await report('format=text&lang=de')).replace(/\s+/g, ' ');
  expect(german).toContain('gibt es zu wenige Anfragen: Jeder braucht mindestens 30.');
  expect(german).not.toMatch(/sicher:|Sicherheit/);
});

test('two recordings are compared request by request, and the answer says that they stand for no other machine', async () => {
  const app = await testApp();
  const folder = await temporaryFolder();
  for (const [source, wait] of [
    ['har-before', 39],
    ['har-after', 139],
  ] as const) {
    const file = join(folder, `${source}.har`);
    await writeFile(file, har(Array.from({ length: 30 }, (_, i) => entry('/orders', NOW - 1000 * i, { wait }))));
    await bring(app.store, file, { source });
  }
  const url = `/api/v1/compare?from=${new Date(NOW - 86_400_000).toISOString()}&to=${new Date(NOW + 1).toISOString()}`;
  const { body } = await app.send({ url: `${url}&before.source=har-before&after.source=har-after`, as: 'admin' });
  const [cell] = JSON.parse(body).cells;
  expect(cell).toMatchObject({
    change: { changed: true, because: 'chosen_browsers', difference: 100 },
    notCompared: null,
  });
  expect(cell.text).toContain('the result holds for these machines only.');
});
