/**
 * Batches as JSON of version 1, which every release reads, the same in every recording. Shares no code with the product,
 * whose next change would change them. Two apps on six hosts, eight browsers in three places; Vienna has slow handshakes
 * with one host, and from 9 November on the shop's server is slow.
 */

const HOUR_MS = 3_600_000;
const SLOW_FROM = Date.UTC(2026, 10, 9);
const SITES = ['Berlin', 'Wien', 'Zürich'];
const BROWSERS = 8;
const REQUESTS_PER_PAGE = 9;
/** Plain HTTP, cached, hidden, failed. */
const REASONS = {
  plain: { tls: 'plain_http' },
  cache: whole('cache', ['ttlb']),
  opaque: whole('opaque', []),
  failed: whole('failed', ['ttlb']),
};
const NO_TIMES = {
  blocked: null,
  dns: null,
  tcp: null,
  tls: null,
  wait: null,
  receive: null,
  redirect: null,
  ttfb: null,
};
const EVIDENCE = {
  new: 'connect_took_time',
  reused: 'connect_at_fetch_start',
  cache: 'delivery_type_cache',
  opaque: 'hidden_stamps',
  failed: 'web_request_error',
} as const;
const HOSTS = [
  { host: 'erp.example.com', target: 'erp', scheme: 'https', protocol: 'h2' },
  { host: 'api.example.com', target: 'erp', scheme: 'https', protocol: 'http/1.1' },
  { host: '[2001:db8::7]', target: 'erp', scheme: 'http', protocol: 'http/1.1' },
  { host: 'shop.example.com', target: 'shop', scheme: 'https', protocol: 'h2' },
  { host: 'xn--bcher-kva.example', target: 'shop', scheme: 'https', protocol: 'h3' },
  { host: 'cdn.example.net', target: 'shop', scheme: 'https', protocol: 'h2' },
] as const;
const TYPES = ['document', 'script', 'style', 'image', 'fetch', 'font'] as const;

/** Columns with a dictionary, and without. */
const WORDS = [
  'target',
  'host',
  'scheme',
  'template',
  'type',
  'protocol',
  'source',
  'connection',
  'connectionEvidence',
  'handshake',
  'handshakeEvidence',
  'excluded',
  'error',
  'tlsVersion',
  'tlsIssuer',
  'unknown',
] as const;
const NUMBERS = ['at', 'status', 'transferSize', 'encodedBodySize', 'decodedBodySize', 'idleMs', 'serverTime'] as const;

export interface GeneratedBatch {
  readonly batch: string;
  readonly client: string;
  readonly sentAt: number;
  readonly n: number;
}

/** Ids change on the first of the month, as in browsers. @param month such as 2026-10 */
export function clientId(browser: number, month: string): string {
  return `b0000000-${month.replace('-', '').slice(2)}-4000-8000-${String(browser).padStart(12, '0')}`;
}

/** What eight browsers measured within some hours, one page each. Times are epoch ms; set `sentAt` when sending. */
export function* generateBatches(from: number, until: number): Generator<GeneratedBatch> {
  const random = seeded(from / HOUR_MS);
  for (let browser = 0; browser < BROWSERS; browser++) {
    yield pageView(random, browser, from + Math.floor(random() * (until - from)));
  }
}

function pageView(random: () => number, browser: number, start: number): GeneratedBatch {
  const firefox = browser % 4 === 3;
  const step = firefox ? 1000 : 100;
  const shop = random() < 0.4;
  // A probe every tenth time: one scenario per batch.
  const source = random() < 0.1 ? (random() < 0.5 ? 'probe-https-new' : 'probe-https-reused') : 'page';
  const known = HOSTS.filter(({ target }) => target === (shop ? 'shop' : 'erp'));
  const site = SITES[browser % SITES.length] ?? '';
  const time = (medianMs: number) => Math.round((medianMs * 1000 * Math.exp(random() + random() - 1)) / step) * step;
  const rows = Array.from({ length: REQUESTS_PER_PAGE }, (_, number) => {
    const { host, target, scheme, protocol } =
      known[number === 0 ? 0 : Math.floor(random() * known.length)] ?? HOSTS[0];
    const luck = random();
    const isNew = source === 'probe-https-new' || number === 0 || luck < 0.2;
    const connection = isNew ? 'new' : source !== 'page' ? 'reused' : connectionBy(luck);
    const measured = connection === 'new' || connection === 'reused';
    const slowHandshake = site === 'Wien' && host === 'api.example.com' ? 6 : 1;
    const slowServer = target === 'shop' && start >= SLOW_FROM ? 4 : 1;
    const fresh = (medianMs: number) => (connection === 'new' ? Math.max(step, time(medianMs)) : 0);
    const [dns, tcp, wait, receive] = [fresh(4), fresh(20), time(60 * slowServer), time(8)];
    const tls = scheme === 'http' ? null : fresh(25 * slowHandshake);
    const ttfb = dns + tcp + (tls ?? 0) + wait;
    const row = {
      at: number === 0 ? start : Math.floor(50 + random() * 150),
      target,
      host,
      scheme,
      template: number === 0 ? '/orders/{n}' : `/static/part-${Math.floor(random() * 4)}`,
      type: number === 0 ? 'document' : (TYPES[1 + Math.floor(random() * 5)] ?? 'other'),
      protocol: measured ? protocol : null,
      source,
      connection,
      connectionEvidence: EVIDENCE[connection],
      handshake: source === 'probe-https-new' ? 'full' : 'unknown',
      handshakeEvidence: source === 'probe-https-new' ? 'probe' : null,
      excluded: connection === 'failed' ? 'failed' : luck > 0.79 && luck < 0.8 ? 'status' : null,
      error: connection === 'failed' ? (firefox ? 'NS_ERROR_NET_TIMEOUT' : 'net::ERR_CONNECTION_RESET') : null,
      tlsVersion: firefox && scheme === 'https' && measured ? 'TLSv1.3' : null,
      tlsIssuer: firefox && scheme === 'https' && measured ? 'CN=Example CA' : null,
      unknown: measured ? (tls === null ? REASONS.plain : null) : REASONS[connection],
      status: measured ? (luck > 0.79 && luck < 0.8 ? 404 : 200) : null,
      transferSize: measured ? 900 + number * 400 : connection === 'cache' ? 0 : null,
      encodedBodySize: measured || connection === 'cache' ? 600 + number * 400 : null,
      decodedBodySize: measured || connection === 'cache' ? 1800 + number * 1200 : null,
      idleMs: connection === 'reused' ? Math.floor(random() * 900) : null,
      serverTime: measured && number === 0 ? Math.round(wait * 0.6) : null,
      times: measured
        ? { blocked: 0, dns, tcp, tls, wait, receive, redirect: 0, ttfb, ttlb: ttfb + receive }
        : { ...NO_TIMES, ttlb: connection === 'opaque' ? time(80) : null },
      db: measured && number === 0 ? Math.round(wait / 5000) / 2 : null,
    };
    return row;
  });
  type Row = (typeof rows)[number];
  const dictionaries: Record<string, unknown[]> = {};
  const columns: Record<string, unknown> = {};
  for (const name of WORDS) {
    const values = [...new Set(rows.map((row) => row[name]).filter((value) => value !== null))];
    if (values.length === 0) continue;
    dictionaries[name] = values;
    columns[name] = rows.map((row) => (row[name] === null ? null : values.indexOf(row[name])));
  }
  for (const name of NUMBERS) columns[name] = rows.map((row) => row[name]);
  columns.times = Object.fromEntries(
    Object.keys(rows[0]?.times ?? {}).map((name) => [name, rows.map(({ times }) => times[name as keyof Row['times']])]),
  );
  if (!shop) columns.metrics = { db: rows.map(({ db }) => db) };
  const batch = `${String(browser).padStart(8, '0')}-0000-4000-8000-${start.toString(16).padStart(12, '0')}`;
  return {
    version: 1,
    batch,
    client: clientId(browser, new Date(start).toISOString().slice(0, 7)),
    site,
    browser: firefox ? 'firefox' : 'chromium',
    browserVersion: firefox ? '145.0' : '142.0.7444.60',
    extensionVersion: '0.1.0',
    clockStep: step,
    sentAt: start,
    n: rows.length,
    status: statusOf(browser, start, source),
    dictionaries,
    columns,
  } as GeneratedBatch;
}

function connectionBy(luck: number): keyof typeof EVIDENCE {
  if (luck < 0.8) return 'reused';
  if (luck < 0.9) return 'cache';
  return luck < 0.96 ? 'opaque' : 'failed';
}

/** One browser has lost some samples, and probes ran or were skipped. */
function statusOf(browser: number, at: number, source: string): object {
  const turn =
    source === 'page'
      ? { probe: 'order-page', target: 'erp', at: at - 5000, skipped: 'not_idle', scenarios: [], steps: [] }
      : {
          probe: 'order-page',
          target: 'erp',
          at: at - 5000,
          skipped: null,
          steps: [],
          scenarios: [
            {
              scenario: source.slice('probe-'.length),
              method: 'keep_alive',
              kept: REQUESTS_PER_PAGE,
              discarded: {},
              unavailable: null,
            },
          ],
        };
  return {
    state: browser === 5 ? 'degraded' : 'collecting',
    waiting: REQUESTS_PER_PAGE,
    dropped: browser === 5 ? { full: 17 } : {},
    rejected: {},
    lost: {},
    turns: [turn],
  };
}

function whole(reason: string, known: readonly string[]): Record<string, string> {
  const names = ['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive', 'redirect', 'ttfb', ...known];
  return Object.fromEntries(names.map((name) => [name, reason]));
}

/** mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
