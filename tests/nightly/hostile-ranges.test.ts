import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { REPORT_VIEWS } from '../../shared/settings/report-choices.ts';
import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { browserId } from '../collector/fill-store.ts';
import { request } from '../collector/report-samples.ts';
import { startFolder } from '../collector/start-folder.ts';
import { rounds } from '../rounds.ts';
import { ORIGIN } from '../unit/wire/arbitrary-sample.ts';

/**
 * No request holds up the loop that takes batches for longer than this, ms. Measured in the built server with its threads, in
 * processor time of its main thread: unlike time on the clock, it does not grow when other processes keep the machine busy.
 */
const MAX_HELD_UP_MS = 50;
/** No other system reports the processor time of one thread. */
const LINUX = process.platform === 'linux';
/** Longer than anything here may take, with all tests at once on two cores. */
const ANSWERED_WITHIN_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Reports on request how long the event loop was held up at most since the last report, ms: the most processor time between
 * two ticks of a timer that is due every 10 ms. The first number in schedstat is nanoseconds on a processor, see
 * https://docs.kernel.org/scheduler/sched-stats.html.
 */
const PROBE = `
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const spent = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
if (isMainThread) {
  let [before, most] = [spent(), 0];
  const tick = () => {
    const now = spent();
    most = Math.max(most, now - before);
    before = now;
  };
  setInterval(tick, 10).unref();
  process.on('message', () => {
    tick();
    process.send(most);
    most = 0;
  });
  process.channel.unref();
}
`;

const RANGES = [
  'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z',
  'from=0000-01-01T00:00:00Z&to=0099-01-01T00:00:00Z',
  'from=9998-01-01T00:00:00Z&to=9999-12-31T23:59:59Z',
  'from=1970-01-01T00:00:00Z',
  'to=0001-01-01T00:00:00Z',
  'from=9999-12-31T23:59:59Z&to=0001-01-01T00:00:00Z',
];
const [EVER = ''] = RANGES;
const LONG = 'x'.repeat(10_000);
const OFTEN = (name: string, value: string) => Array.from({ length: 1000 }, () => `${name}=${value}`).join('&');

/** By the parameter of a route that they are for. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  by: [`by=${ASKED_DIMENSIONS.join(',')}`, `by=${'host,'.repeat(2000)}host`, OFTEN('by', 'host')],
  step: ['step=1s', 'step=99999d', 'step=99999s', `step=${LONG}`, 'step=1d&zone=Europe/Berlin', 'step=1d&zone=x'],
  zone: ['zone=Europe/Berlin', 'zone=asia/kolkata', 'zone=Australia/Lord_Howe', `zone=${LONG}`, OFTEN('zone', 'UTC')],
  limit: ['limit=999999999', 'limit=-1', `limit=${LONG}`],
  time: ['time=idle', 'time=setup', `time=${LONG}`],
  exact: ['exact=true'],
  include: ['include=peaks,gapCuts,overheads', `include=${'peaks,'.repeat(2000)}peaks`],
  above: [`above=${Array.from({ length: 2000 }, (_, i) => i).join(',')}`, 'above=1,2,3'],
  host: [OFTEN('host', 'a'), `host=${LONG}`, 'host=erp.example.com'],
  format: ['format=ndjson', 'format=har', 'format=parquet', 'format=pdf'],
  beforeFrom: ['beforeFrom=0001-01-01T00:00:00Z', 'beforeTo=9999-01-01T00:00:00Z&beforeFrom=0001-01-01T00:00:00Z'],
};
/** What openapi.json leaves to docs/reports.md. */
const OF_REPORT = [
  ...REPORT_VIEWS.map((view) => `view=${view}`),
  ...['html', 'pdf', 'csv', 'md', 'text'].map((format) => `format=${format}&zone=Europe/Berlin&lang=de`),
  'zone=Europe/Berlin',
  'zone=Asia/Kolkata&hours=Mon-Fri 09:00-17:30',
  'zone=Europe/Berlin&hours=Mon-Sun 00:00-24:00',
  `hours=${'Mon,'.repeat(3000)}Mon 08:00-18:00`,
  `hours=${LONG}`,
  'outliers=tukey',
  'exact=true',
  'month=0001-01',
  'month=9999-12',
  'beforeFrom=0001-01-01T00:00:00Z',
];
const BODIES = [
  '{}',
  '[]',
  `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  JSON.stringify({ version: 1, label: LONG }),
];

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters?: { name: string; in: string }[] }>>>>;
}

let server: ChildProcess;
let url = '';
let token = '';
const folder = startFolder();

beforeAll(async () => {
  const store = await openStore({ folder: await folder.made(), as: 'command' });
  const made = makeToken('admin', '', Date.now());
  token = made.token;
  await store.tokens.create(made.stored);
  const now = Date.now();
  for (let day = 0; day < 6; day++) {
    for (let browser = 0; browser < 6; browser++) {
      const samples = Array.from({ length: 100 }, (_, i) =>
        request(
          now - day * DAY_MS - i * 60_000 - browser,
          { wait: 20 + i, receive: 4, tcp: i % 3 === 0 ? 10 : 0 },
          { host: `h${i % 20}.example.com`, type: i % 2 === 0 ? 'document' : 'image' },
        ),
      );
      const origin = { ...ORIGIN, client: browserId(browser) };
      const columns = toBatchColumns(samples);
      await store.samples.append([{ id: randomUUID(), receivedAt: now, clockCorrection: 0, origin, columns }]);
    }
  }
  await store.maintenance.rollUp();
  await store.maintenance.finalize(now);
  await store.close();
  const command = ['dist/lastbyte.mjs', 'serve', '--port', '0', '--data', await folder.made()];
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  server = spawn(process.execPath, ['--import', probe, ...command], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [said] = await once(server.stdout as NodeJS.ReadableStream, 'data');
  url = /http:\S+(?=,)/.exec(String(said))?.[0] ?? '';
});

afterAll(async () => {
  server.kill('SIGTERM');
  await once(server, 'exit');
  await folder.remove();
});

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

async function ask({ method, path, body }: Asked): Promise<number> {
  const response = await fetch(url + encodeURI(path), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'PUT' ? { 'if-match': '"never"' } : {}),
    },
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    ...(body === undefined ? {} : { body }),
  });
  const answer = await response.arrayBuffer();
  if (response.status >= 400 && response.headers.get('content-type')?.includes('json')) {
    const { error } = JSON.parse(Buffer.from(answer).toString()) as { error: Record<string, string> };
    expect([error.code, error.message, error.hint].every((text) => (text ?? '') !== '')).toBe(true);
  }
  return response.status;
}

/** The longest the loop was held up since the last call, ms. */
async function longestHoldUp(): Promise<number> {
  const reported = once(server, 'message');
  server.send('?');
  const [longest] = await reported;
  return longest as number;
}

/** Describes what is wrong with the response; null if nothing is. */
async function fault(asked: Asked): Promise<string | null> {
  const name = `${asked.method} ${asked.path.slice(0, 200)} ${(asked.body ?? '').slice(0, 40)}`;
  await longestHoldUp();
  const status = await ask(asked);
  if (status >= 500) return `${name}: status ${status}`;
  const heldUp = await longestHoldUp();
  return heldUp > MAX_HELD_UP_MS ? `${name}: held up the loop for ${Math.round(heldUp)} ms` : null;
}

async function routes(): Promise<{ method: string; path: string; parameters: readonly string[] }[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    })),
  );
}

const GENERIC = ['', `?${EVER}`, `?${LONG}=1`, `?${OFTEN('a', 'b')}`];

function hostile(path: string, parameters: readonly string[]): string[] {
  const opened = ['1', '999999999', 'x'.repeat(90)].map((id) => path.replace(/\{\w+\}/g, id));
  const bare = path.includes('{') ? opened : [path];
  const ranged = parameters.includes('from') ? RANGES.map((range) => `${path}?${range}`) : [];
  const values = parameters.flatMap((name) => VALUES[name] ?? []).map((query) => `${path}?${EVER}&${query}`);
  const reports = path.endsWith('/report')
    ? OF_REPORT.flatMap((query) => [`${path}?${query}`, `${path}?${EVER}&${query}`])
    : [];
  return [...bare.flatMap((one) => GENERIC.map((query) => one + query)), ...ranged, ...values, ...reports];
}

test.runIf(LINUX)(
  'no request to any route holds up the event loop, whatever its range and its parameters',
  async () => {
    const all = (await routes()).flatMap(({ method, path, parameters }): Asked[] => {
      const takesBody = method === 'POST' || method === 'PUT';
      if (method === 'GET') return hostile(path, parameters).map((one) => ({ method, path: one }));
      return (takesBody ? BODIES : [undefined]).map((body) => ({
        method,
        path: path.replace(/\{\w+\}/g, 'x'),
        ...(body === undefined ? {} : { body }),
      }));
    });
    expect(all.length).toBeGreaterThan(200);
    // Code that runs for the first time is read and compiled.
    const warm = ['/api/v1/export?format=parquet', '/api/v1/export?format=har', '/api/v1/report?format=md'];
    for (const path of [
      ...(await routes()).filter(({ method }) => method === 'GET').map(({ path }) => path),
      ...warm,
    ]) {
      await ask({ method: 'GET', path: path.replace(/\{\w+\}/g, '1') });
    }
    const faults: string[] = [];
    for (const asked of all.filter((_, index) => index % rounds(4, 1) === 0)) {
      const found = await fault(asked);
      if (found !== null) faults.push(found);
    }
    expect(faults).toEqual([]);
  },
  600_000,
);

test.runIf(LINUX)(
  'in no time zone does all of time hold up the event loop',
  async () => {
    const faults: string[] = [];
    const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => index % rounds(4, 1) === 0);
    // Ten at once: if they hold up the loop together, each is asked again by itself.
    for (let first = 0; first < zones.length; first += 10) {
      await longestHoldUp();
      const paths = zones.slice(first, first + 10).map((zone) => `/api/v1/timeline?${EVER}&zone=${zone}`);
      await Promise.all(paths.map((path) => ask({ method: 'GET', path })));
      if ((await longestHoldUp()) <= MAX_HELD_UP_MS) continue;
      for (const path of paths) faults.push(...[await fault({ method: 'GET', path })].flatMap((one) => one ?? []));
    }
    expect(faults).toEqual([]);
  },
  600_000,
);
