import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../collector/storage/sqlite/open-sqlite-store.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { browserId } from '../collector/fill-store.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { type TestApp, testApp } from '../collector/test-app.ts';
import { UNLIMITED_CLIENTS } from '../collector/unlimited-clients.ts';
import { NOW, ORIGIN } from '../unit/wire/arbitrary-sample.ts';

const BROWSERS = 20_000;
/** Where the quadratic copy took 3,000 ms and 98 MB were sent. */
const MAX_BLOCKED_MS = 500;
const MAX_ANSWER_BYTES = 2_000_000;

interface Held {
  readonly app: TestApp;
  readonly folder: string;
}

/** Its clock stands still, so that upkeep removes nothing for its age. */
async function appWithThreads(): Promise<Held> {
  const folder = await temporaryFolder();
  const threadScript = pathToFileURL(join(import.meta.dirname, '../../dist/store-thread.mjs'));
  return {
    folder,
    app: await testApp({ store: openSqliteStore({ folder, as: 'server', threadScript, clock: () => NOW }) }),
  };
}

/** Rows as an older version may have left them: what is written now is bounded. */
function fillBrowsers(folder: string, statusOf: (browser: number) => string): void {
  const database = new Database(join(folder, 'lastbyte.sqlite'), { timeout: 10_000 });
  const insert = database.prepare(
    `INSERT INTO browser (client, site, browser, browser_version, extension_version, first_at, last_at, clock_correction, status)
     VALUES (?, ?, 'chromium', '128.0', '0.1.0', ?, ?, 0, ?)`,
  );
  database.transaction(() => {
    for (let browser = 0; browser < BROWSERS; browser++) {
      const site = `Site ${browser % 7 === 0 ? browser : 'Hannover'}`;
      insert.run(browserId(browser), site, NOW - 7_200_000, NOW - 1 - browser, statusOf(browser));
    }
  })();
  database.close();
}

function fillTurns(folder: string): void {
  const database = new Database(join(folder, 'lastbyte.sqlite'), { timeout: 10_000 });
  const insert = database.prepare('INSERT INTO probe_turn (at, client, probe, site, turn) VALUES (?, ?, ?, ?, ?)');
  const discarded = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`invented-${i}-`.padEnd(90, 'x'), 1]));
  const scenarios = ['http-new', 'https-new'].map((scenario) => ({
    scenario,
    method: 'fetch',
    kept: 0,
    discarded,
    unavailable: null,
  }));
  database.transaction(() => {
    for (let turn = 0; turn < BROWSERS; turn++) {
      const text = JSON.stringify({ probe: 'logo', target: 'erp', at: NOW - 1, skipped: null, scenarios, steps: [] });
      insert.run(NOW - 1 - turn, browserId(turn), 'logo', 'Hannover', text);
    }
  })();
  database.close();
}

const TICK_MS = 10;

/**
 * Processor time of this very thread, ms: neither other threads nor a busy machine count. Linux tells it; elsewhere the
 * time the event loop was at work has to do.
 */
function threadTime(): number {
  if (process.platform !== 'linux') return performance.eventLoopUtilization().active;
  const fields = readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function blocked(ask: () => Promise<unknown>): Promise<number> {
  const before = threadTime();
  await ask();
  return threadTime() - before;
}

const RANGE = `from=${new Date(NOW - 3_600_000).toISOString()}&to=${new Date(NOW + 1).toISOString()}`;
const status = (dropped: Record<string, number>) =>
  JSON.stringify({ state: 'collecting', waiting: 0, dropped, rejected: {}, lost: {} });

test('the fleet of 20,000 browsers is counted without stopping the event loop', async () => {
  const { app, folder } = await appWithThreads();
  fillBrowsers(folder, () => status({ full: 2 }));
  await app.send({ url: `/api/v1/fleet?${RANGE}&site=none`, as: 'admin' });
  let body = '';
  const took = await blocked(async () => {
    body = (await app.send({ url: `/api/v1/fleet?${RANGE}`, as: 'admin' })).body;
  });
  expect(took).toBeLessThan(MAX_BLOCKED_MS);
  expect(body.length).toBeLessThan(MAX_ANSWER_BYTES);
  const fleet = JSON.parse(body);
  expect(fleet).toMatchObject({
    browsers: BROWSERS,
    truncated: false,
    dropped: [{ reason: 'full', count: 2 * BROWSERS, browsers: BROWSERS }],
  });
  const ofSites = fleet.sites.reduce((sum: number, { browsers }: { browsers: number }) => sum + browsers, 0);
  expect(ofSites).toBe(BROWSERS);
  expect(fleet.sites.at(-1)).toMatchObject({ site: '(other)' });
});

test('invented reasons in old data are one row beside the common ones, and no browser is lost', async () => {
  const { app, folder } = await appWithThreads();
  fillBrowsers(folder, (browser) =>
    status({ full: 1, ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`invented-${browser}-${i}`, 1])) }),
  );
  const answer = await app.send({ url: `/api/v1/fleet?${RANGE}`, as: 'admin' });
  expect(answer.body.length).toBeLessThan(MAX_ANSWER_BYTES);
  const { dropped } = answer.json();
  expect(dropped).toContainEqual({ reason: 'full', count: BROWSERS, browsers: BROWSERS });
  expect(dropped.length).toBeLessThanOrEqual(51);
  const total = dropped.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  expect(total).toBe(21 * BROWSERS);
  const other = dropped.find(({ reason }: { reason: string }) => reason === '(other)');
  // All but those whose own reasons happen to be among the named ones.
  expect(other.browsers).toBeGreaterThan(BROWSERS - 10);
});

test('20,000 large turns of probes are counted without stopping the event loop', async () => {
  const { app, folder } = await appWithThreads();
  fillTurns(folder);
  await app.send({ url: `/api/v1/probes?${RANGE}&site=none`, as: 'admin' });
  const took = await blocked(async () => {
    const answer = await app.send({ url: `/api/v1/probes?${RANGE}`, as: 'admin' });
    expect(answer.json().turns.run).toBe(BROWSERS);
  });
  expect(took).toBeLessThan(MAX_BLOCKED_MS);
});

const bulky: BrowserStatus['dropped'] = Object.fromEntries(
  Array.from({ length: 50 }, (_, i) => [`invented-${i}-`.padEnd(95, 'x'), 1]),
);

/** Turns as an ingest key in the wrong hands may send them, and how many bytes they are on the wire. */
async function sendInvented(app: TestApp, browser: number): Promise<number> {
  const turns = Array.from({ length: 50 }, (_, i) => ({
    probe: `invented-${browser}-${i}`,
    target: 'erp',
    at: NOW - 1000 - i,
    skipped: null,
    scenarios: ['http-new', 'http-reused', 'https-new', 'https-reused'].map((scenario) => ({
      scenario,
      method: null,
      kept: 0,
      discarded: bulky,
      unavailable: null,
    })),
    steps: [],
  })) as unknown as BrowserStatus['turns'];
  const said: BrowserStatus = { state: 'collecting', waiting: 0, dropped: bulky, rejected: bulky, lost: bulky, turns };
  const payload = gzipSync(
    JSON.stringify(encodeBatch({ ...ORIGIN, client: browserId(browser) }, randomUUID(), NOW, [], said)),
  );
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const answer = await app.send({ method: 'POST', url: '/api/v1/batches', as: 'ingest', payload, headers });
  expect(answer.statusCode).toBe(200);
  return payload.length;
}

function diskBytes(folder: string): number {
  const database = new Database(join(folder, 'lastbyte.sqlite'), { readonly: true });
  const [pages, pageBytes] = ['page_count', 'page_size'].map(
    (name) => database.pragma(name, { simple: true }) as number,
  );
  database.close();
  return (pages ?? 0) * (pageBytes ?? 0);
}

test('invented turns and statuses take little more disk than they took on the wire', async () => {
  const folder = await temporaryFolder();
  const store = openSqliteStore({ folder, as: 'server', clock: () => NOW });
  const app = await testApp({ store, clientLimits: UNLIMITED_CLIENTS });
  await sendInvented(app, 0);
  const before = diskBytes(folder);
  let wire = 0;
  for (let browser = 1; browser <= 150; browser++) wire += await sendInvented(app, browser);
  const grown = diskBytes(folder) - before;
  // It was 146 times as much.
  expect(grown).toBeLessThan(3 * wire);
  const { notKept } = (await app.send({ url: `/api/v1/fleet?${RANGE}`, as: 'admin' })).json();
  const turns = notKept.filter(({ reason }: { reason: string }) => reason.startsWith('turn_'));
  const count = turns.reduce((sum: number, one: { count: number }) => sum + one.count, 0);
  // Five of each browser may be kept, if they are small.
  expect(count).toBeGreaterThanOrEqual(151 * 45);
});
