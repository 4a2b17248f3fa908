import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { batchId } from '../../shared/wire/encode-batch.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { createDraws, type Draws } from './draws.ts';

/** What every bench of the store is made from. Change it and all figures begin anew. */
export const SEED = 20_260_601;
/** A calendar month of 30 days, so that month packs can answer for all of it. */
export const FIRST_MS = Date.UTC(2026, 5, 1);
export const DAYS = 30;
export const BATCH_ROWS = 50;
const SPAN_MS = DAYS * 24 * 3_600_000;
const HOSTS = 40;
const BROWSERS = 600;
const TEMPLATES = 60;
const SITES = ['amsterdam', 'berlin', 'chennai'];
const TYPES = ['document', 'script', 'style', 'image', 'font', 'fetch', 'iframe', 'other'] as const;
const CONNECTIONS = ['new', 'reused', 'cache'] as const;
const PROBE_SHARE = 0.02;
const FIREFOX_SHARE = 0.15;
const ERROR_SHARE = 0.01;

/** What may stand in the columns `unknown`: none, plain HTTP, from the cache. */
const REASONS = [
  { tls: 'plain_http' },
  Object.fromEntries(
    ['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive', 'redirect', 'ttfb', 'ttlb'].map((name) => [name, 'cache']),
  ),
] as WireBatch['dictionaries']['unknown'] & object;

/**
 * Batches of samples, 50 unless `rows` is given, as browsers send them, in order of time, the same for everybody: 40 hosts (zipf) × 8 types ×
 * 3 connection classes × 2 protocols × 3 sites, heavy tails, 2 % probes. Times are multiples of the browser's clock step
 * (100 µs, Firefox 1 ms), as they are in browsers. Columns are drawn directly; no sample is ever an object.
 */
export function* generateBatches(
  samples: number,
  seed = SEED,
  from = FIRST_MS,
  span = SPAN_MS,
  rows = BATCH_ROWS,
): Generator<WireBatch> {
  const draws = createDraws(seededRandom(seed));
  const batches = Math.ceil(samples / rows);
  for (let i = 0; i < batches; i++) {
    const n = Math.min(rows, samples - i * rows);
    yield generateBatch(draws, i, n, from + Math.floor((i / batches) * span));
  }
}

/** One page load of one browser, from `at` on. */
function generateBatch(draws: Draws, number: number, n: number, at: number): WireBatch {
  const browser = draws.whole(BROWSERS);
  const firefox = browser < BROWSERS * FIREFOX_SHARE;
  const step = firefox ? 1000 : 100;
  const probe = draws.chance(PROBE_SHARE);
  const rows = Array.from({ length: n }, (_, row) => drawRow(draws, step, row === 0));
  const column = <K extends keyof Row>(name: K) => rows.map((row) => row[name]);
  const host = indexed(column('host'), (place) => `app-${place}.example.com`);
  const template = indexed(column('template'), (place) => `/area-${place % 7}/page-${place}/{n}`);
  return {
    version: 1,
    batch: idOf(draws, number, at + 4000),
    client: `browser-${String(browser).padStart(8, '0')}`,
    site: SITES[browser % SITES.length] ?? '',
    browser: firefox ? 'firefox' : 'chromium',
    browserVersion: firefox ? '128.0' : '130.0.6723.58',
    extensionVersion: '0.1.0',
    clockStep: step,
    sentAt: at + 4000,
    n,
    dictionaries: {
      target: ['erp', 'shop'],
      host: host.entries,
      scheme: ['https', 'http'],
      template: template.entries,
      type: TYPES,
      protocol: ['h2', 'http/1.1'],
      source: [probe ? 'probe-https-new' : 'page'],
      connection: CONNECTIONS,
      connectionEvidence: ['connect_took_time', 'connect_at_fetch_start', 'delivery_type_cache'],
      handshake: ['unknown'],
      excluded: ['status'],
      unknown: REASONS,
    },
    columns: {
      at: rows.map(({ gap }, row) => (row === 0 ? at : gap)),
      target: rows.map(({ host: place }) => (place < 25 ? 0 : 1)),
      host: host.indexes,
      scheme: column('scheme'),
      template: template.indexes,
      type: column('type'),
      protocol: column('protocol'),
      source: rows.map(() => 0),
      connection: column('connection'),
      connectionEvidence: column('connection'),
      handshake: rows.map(() => 0),
      excluded: column('excluded'),
      unknown: column('unknown'),
      times: {
        blocked: column('blocked'),
        dns: column('dns'),
        tcp: column('tcp'),
        tls: column('tls'),
        wait: column('wait'),
        receive: column('receive'),
        redirect: rows.map((row) => (row.connection === 2 ? null : 0)),
        ttfb: column('ttfb'),
        ttlb: column('ttlb'),
      },
      status: column('status'),
      transferSize: rows.map((row) => (row.connection === 2 ? 0 : row.size + 300)),
      encodedBodySize: column('size'),
      decodedBodySize: column('decoded'),
      idleMs: column('idle'),
    },
  };
}

interface Row {
  readonly gap: number;
  readonly host: number;
  readonly scheme: number;
  readonly template: number;
  readonly type: number;
  readonly protocol: number;
  readonly connection: number;
  readonly excluded: number | null;
  readonly unknown: number | null;
  readonly blocked: number | null;
  readonly dns: number | null;
  readonly tcp: number | null;
  readonly tls: number | null;
  readonly wait: number | null;
  readonly receive: number | null;
  readonly ttfb: number | null;
  readonly ttlb: number | null;
  readonly status: number;
  readonly size: number;
  readonly decoded: number;
  readonly idle: number | null;
}

function drawRow(draws: Draws, step: number, first: boolean): Row {
  const host = draws.zipf(HOSTS);
  const type = first ? 0 : draws.whole(TYPES.length);
  const luck = draws.uniform();
  const connection = luck < 0.12 ? 0 : luck < 0.85 ? 1 : 2;
  const plain = host % 10 === 9;
  const size = draws.sized(900 + 4000 * type);
  const time = (median: number) => Math.round(draws.heavy(median) / step) * step;
  const fresh = connection === 0;
  const cached = connection === 2;
  const blocked = cached ? null : draws.chance(0.7) ? 0 : time(400);
  const dns = cached ? null : fresh && draws.chance(0.6) ? time(2500) : 0;
  const tcp = cached ? null : fresh ? Math.max(step, time(9000 + 600 * host)) : 0;
  const tls = cached || plain ? null : fresh ? Math.max(step, time(14_000 + 600 * host)) : 0;
  const wait = cached ? null : time(18_000 + 900 * host + 2500 * type);
  const receive = cached ? null : time(1500 + 1200 * type);
  const ttfb = cached ? null : (blocked ?? 0) + (dns ?? 0) + (tcp ?? 0) + (tls ?? 0) + (wait ?? 0);
  const failed = draws.chance(ERROR_SHARE);
  return {
    gap: Math.floor(draws.heavy(25)),
    host,
    scheme: plain ? 1 : 0,
    template: host * TEMPLATES + draws.zipf(TEMPLATES),
    type,
    protocol: plain || host % 3 === 2 ? 1 : 0,
    connection,
    excluded: failed && !cached ? 0 : null,
    unknown: cached ? 1 : plain ? 0 : null,
    blocked,
    dns,
    tcp,
    tls,
    wait,
    receive,
    ttfb,
    ttlb: ttfb === null ? null : ttfb + (receive ?? 0),
    status: failed ? 404 : 200,
    size,
    decoded: type < 3 ? Math.round(size * 3.4) : size,
    idle: first || fresh ? null : Math.floor(draws.heavy(120)),
  };
}

/** A dictionary of what occurs, as a browser would write it, and the places in it. */
function indexed(places: readonly number[], name: (place: number) => string): { entries: string[]; indexes: number[] } {
  const known = new Map<number, number>();
  const indexes = places.map((place) => {
    const index = known.get(place) ?? known.size;
    known.set(place, index);
    return index;
  });
  return { entries: [...known.keys()].map(name), indexes };
}

/** A UUID whose last part counts, so that no two are alike whatever was drawn. */
function idOf(draws: Draws, number: number, at: number): string {
  const hex = (length: number) =>
    draws
      .whole(2 ** 32)
      .toString(16)
      .padStart(8, '0')
      .slice(0, length);
  return batchId(at, `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${number.toString(16).padStart(12, '0')}`);
}
