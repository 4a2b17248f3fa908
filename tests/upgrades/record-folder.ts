/**
 * Records what a release keeps and answers, for later ones to be tested against: README.md in tests/fixtures/upgrades.
 * `node tests/upgrades/record-folder.ts --release ../checkout --node /path/to/node --end SIGKILL --out FOLDER`
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { startPostgres } from '../collector/postgres-server.ts';
import { askRelease, OF_CONTROL, untilForwarded } from './ask-release.ts';
import { startClickHouseIn } from './clickhouse-database.ts';
import { clientId, type GeneratedBatch, generateBatches } from './generate-batches.ts';
import { compress, packFolder } from './pack-folder.ts';
import type { Keys, RecordedFolder } from './recorded.ts';
import { type Release, runRelease, type ServedRelease, serveRelease } from './release.ts';

const { values: options } = parseArgs({
  options: {
    release: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    end: { type: 'string', default: 'SIGTERM' },
    out: { type: 'string' },
    from: { type: 'string', default: '2026-10-12' },
    /** `clickhouse` has the samples, or `postgres` the control data. */
    with: { type: 'string' },
  },
});
if (options.release === undefined || options.out === undefined) throw new Error('--release and --out are needed');
const [checkout, out] = [options.release, options.out];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FIRST_DAY = Date.parse(options.from);
const LAST_DAY = Date.UTC(2026, 10, 20);
/** Browsers may be this late, and each session removes what is too old. */
const SESSION_EVERY_MS = 5 * DAY_MS;
const LAST_SESSION = LAST_DAY + 10 * HOUR_MS + 40 * MINUTE_MS;
/** Above ten seconds, after which background maintenance begins. */
const MAINTENANCE_MS = 20_000;
const ERASED_BROWSER = 7;

const SETTINGS = {
  version: 1,
  targets: [
    {
      id: 'erp',
      name: 'ERP für alle',
      match: ['https://erp.example.com/*', 'https://api.example.com/*'],
      templateRules: ['/users/{user}'],
      serverTimingMetrics: ['db'],
      exclude: [{ path: '/health' }],
    },
    { id: 'shop', name: 'Shop', match: ['https://shop.example.com/*'], unlockTimings: ['cdn.example.net'] },
  ],
  delivery: { intervalSeconds: 30 },
  probes: {
    enabled: true,
    schedule: [
      { id: 'order-page', target: 'erp', url: 'https://erp.example.com/orders', everyMinutes: 60 },
      {
        id: 'signed-in',
        target: 'erp',
        everyMinutes: 60,
        steps: [{ url: 'https://erp.example.com/me', text: 'Orders', thresholdMs: 2000 }],
      },
    ],
  },
  alerts: {
    everySeconds: 60,
    webhooks: [{ id: 'hook', url: 'http://127.0.0.1:9/hook' }],
    rules: [
      { id: 'never', target: 'erp', aboveMs: 600_000, webhooks: ['hook'] },
      {
        id: 'slow-shop',
        target: 'shop',
        type: 'document',
        aboveMs: 1,
        windowMinutes: 1440,
        minSamples: 1,
        webhooks: ['hook'],
      },
    ],
  },
  reports: { schedule: [{ id: 'monthly', cron: '0 6 1 * *', formats: ['md'], folder: 'monthly' }] },
  // Long enough that nothing expires between the last session and the questions.
  retention: { sampleDays: 28, hourDays: 30, dayDays: 400 },
};

/**
 * An hour of the monotonic clock passes with each round of maintenance or two, so that a few rounds remove what is too old.
 * A session has to be shorter than a day by it, or the collector doubts its wall clock.
 */
const variables = { LASTBYTE_TEST_CLOCK_RATE: options.with === 'clickhouse' ? '100' : '400' };
const release: Release = { root: checkout, node: options.node, variables };
const folder = await mkdtemp(join(tmpdir(), 'lastbyte-record-'));
const data = join(folder, 'data');
const clickHouse = options.with === 'clickhouse' ? await startClickHouseIn(join(folder, 'clickhouse')) : null;
const postgres = options.with === 'postgres' ? await startPostgres() : null;
const control = (await postgres?.createDatabase()) ?? null;
const place = ['--data', data, ...(control === null ? [] : ['--control', control])];
const serve = (now: number, by = release) =>
  serveRelease(by, now, [...place, ...(clickHouse === null ? [] : ['--samples', clickHouse.address])]);
const command = (now: number, ...args: string[]) => runRelease(release, now, [...args, ...place]);
const hasClock = (await runRelease(release, FIRST_DAY, ['--help'])).includes('\n  clock ');

let keys: Keys | null = null;
let sentUntil = FIRST_DAY;
for (let now = FIRST_DAY + 19 * HOUR_MS; now < LAST_DAY; now += SESSION_EVERY_MS) {
  await confirmClock(now);
  const server = await serve(now);
  keys ??= await prepare(now, server.url);
  for (; sentUntil < now; sentUntil += DAY_MS) {
    if (isWeekend(sentUntil)) continue;
    await send(server, keys.ingest, generateBatches(sentUntil + 7 * HOUR_MS, sentUntil + 17 * HOUR_MS));
  }
  await setTimeout(MAINTENANCE_MS);
  const code = await server.end();
  console.log(new Date(now).toISOString(), code, server.said());
}
if (keys === null) throw new Error('there was no session');

await confirmClock(LAST_SESSION);
await command(LAST_SESSION, 'erase', '--client', clientId(ERASED_BROWSER, '2026-11'));
const server = await serve(LAST_SESSION);
const last = [...generateBatches(LAST_DAY + 7 * HOUR_MS, LAST_DAY + 10 * HOUR_MS)].filter(
  ({ client }) => client !== clientId(ERASED_BROWSER, '2026-11'),
);
await send(server, keys.ingest, last.slice(0, last.length / 2));
const kept = LAST_DAY - SETTINGS.retention.sampleDays * DAY_MS;
while ((await oldestSample(server.url, keys.admin)) < kept) await setTimeout(MAINTENANCE_MS);
while (!(await isAlerting(server.url, keys.admin))) await setTimeout(MAINTENANCE_MS);
await setTimeout(MAINTENANCE_MS);
// Acknowledged, and nothing more than that.
await send(server, keys.ingest, last.slice(last.length / 2));
console.log('end', await server.end(options.end as NodeJS.Signals), server.said());

await mkdir(out, { recursive: true });
await packFolder(data, join(out, 'data.tar.br'));
if (clickHouse !== null) {
  await clickHouse.dump(join(folder, 'tables'));
  await packFolder(join(folder, 'tables'), join(out, 'tables.tar.br'));
}
if (control !== null) await writeFile(join(out, 'control.sql.br'), compress(await dump(control)));
const asked = await serve(LAST_SESSION + MINUTE_MS, { ...release, variables: {} });
await untilForwarded(
  asked.url,
  keys.admin,
  last.reduce((sum, { n }) => sum + n, 0),
);
const answers = await askRelease(asked.url, keys, control === null ? undefined : OF_CONTROL);
await asked.end();
console.log(asked.said());
const check: unknown = JSON.parse(await command(LAST_SESSION + 2 * MINUTE_MS, 'check', '--json'));
const recorded: RecordedFolder = { now: new Date(LAST_SESSION + MINUTE_MS).toISOString(), keys, check, answers };
await writeFile(join(out, 'recorded.json.br'), compress(Buffer.from(JSON.stringify(recorded))));
await clickHouse?.end();
await postgres?.remove();
await rm(folder, { recursive: true });

/** As statements that any client can run. */
async function dump(address: string): Promise<Buffer> {
  const how = ['--inserts', '--no-owner', '--no-privileges', address];
  const { stdout } = await promisify(execFile)('pg_dump', how);
  // Lines for psql.
  return Buffer.from(stdout.replaceAll(/^\\.*\n/gm, ''));
}

/** A server that was away for more than a day doubts its clock, and removes nothing. */
async function confirmClock(now: number): Promise<void> {
  if (hasClock && now > FIRST_DAY + DAY_MS) await command(now, 'clock', 'confirm');
}

/** Epoch ms. */
async function oldestSample(url: string, admin: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/export?format=ndjson&from=2026-01-01T00:00:00Z`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  const [first = ''] = (await response.text()).split('\n', 1);
  return Date.parse(JSON.parse(first).startedAt);
}

async function isAlerting(url: string, admin: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/alerts`, { headers: { authorization: `Bearer ${admin}` } });
  const { rules } = (await response.json()) as { rules: readonly { readonly on: boolean }[] };
  return rules.some(({ on }) => on);
}

function isWeekend(day: number): boolean {
  return new Date(day).getUTCDay() % 6 === 0;
}

/** What an administrator does on the first day. */
async function prepare(now: number, url: string): Promise<Keys> {
  const token = async (role: string, label: string) => {
    const printed = await command(now, 'token', 'create', '--role', role, '--label', label, '--json');
    return JSON.parse(printed) as { id: string; token: string };
  };
  const file = join(folder, 'settings.json');
  await writeFile(file, JSON.stringify(SETTINGS));
  await command(now, 'settings', 'apply', file);
  await writeFile(file, JSON.stringify({ ...SETTINGS, delivery: { intervalSeconds: 60 } }));
  await command(now, 'settings', 'apply', file);
  const admin = (await token('admin', 'Büro')).token;
  await command(now, 'token', 'revoke', (await token('ingest', 'lost laptop')).id);
  const write = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    // Earlier releases have neither views nor annotations.
    if (!response.ok && response.status !== 404) throw new Error(`${path}: ${await response.text()}`);
  };
  await write('PUT', 'views/shop-week', { name: 'Shop this week', query: '?range=7d&target=shop' });
  await write('POST', 'annotations', { at: '2026-11-09T06:00:00Z', text: 'shop 4.2 → 4.3', target: 'shop' });
  await write('POST', 'annotations', {
    at: '2026-10-20T00:00:00Z',
    until: '2026-10-21T00:00:00Z',
    text: 'maintenance',
  });
  return { admin, read: (await token('read', '')).token, ingest: (await token('ingest', 'laptops')).token };
}

async function send({ url, aheadMs }: ServedRelease, key: string, batches: Iterable<GeneratedBatch>): Promise<void> {
  for (const batch of batches) {
    const response = await fetch(`${url}/api/v1/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...batch, sentAt: Date.now() + aheadMs }),
    });
    const answer = (await response.json()) as { accepted?: number };
    if (answer.accepted !== batch.n) throw new Error(`a batch was not accepted: ${JSON.stringify(answer)}`);
  }
}
