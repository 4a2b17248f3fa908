import {
  CONNECTION,
  HANDSHAKE,
  OUTCOME,
  type Outcome,
  type RequestTable,
  TABLE_TIMES,
  type TableTime,
  TLS,
} from '../../../collector/reductions/request-table.ts';

export interface RequestRow {
  readonly target: string;
  readonly host: string;
  readonly template: string;
  readonly type: string;
  readonly client: string;
  readonly engine?: string;
  readonly site: string;
  /** Epoch ms. */
  readonly at: number;
  readonly outcome: Outcome;
  readonly connection: keyof typeof CONNECTION;
  readonly handshake: keyof typeof HANDSHAKE;
  readonly tls?: keyof typeof TLS;
  readonly protocol: string;
  readonly issuer: string;
  readonly size: number;
  readonly idle: number;
  /** `ttlb` is what they add up to. */
  readonly times: Readonly<Record<Exclude<TableTime, 'ttlb'>, number>>;
}

export function tableOf(rows: readonly RequestRow[]): RequestTable {
  const groups = numbering(rows, ({ target, host, template, type }) => ({ target, host, template, type }));
  const browsers = numbering(rows, ({ client, site, engine = 'chromium' }) => ({
    client,
    site,
    engine,
    version: `${engine} 140`,
  }));
  const protocols = numbering(rows, ({ protocol }) => protocol);
  const issuers = numbering(rows, ({ issuer }) => issuer);
  const total = ({ blocked, dns, tcp, tls, wait, receive }: RequestRow['times']) =>
    blocked + dns + tcp + tls + wait + receive;
  return {
    n: rows.length,
    at: Float64Array.from(rows, ({ at }) => at),
    groups: groups.items,
    group: groups.codes,
    browsers: browsers.items,
    browser: browsers.codes,
    outcome: Uint8Array.from(rows, ({ outcome }) => OUTCOME[outcome]),
    connection: Uint8Array.from(rows, ({ connection }) => CONNECTION[connection]),
    handshake: Uint8Array.from(rows, ({ handshake }) => HANDSHAKE[handshake]),
    tls: Uint8Array.from(rows, ({ tls = 'unknown' }) => TLS[tls]),
    protocols: protocols.items,
    protocol: protocols.codes,
    issuers: issuers.items,
    issuer: issuers.codes,
    size: Float32Array.from(rows, ({ size }) => size),
    idle: Float32Array.from(rows, ({ idle }) => idle),
    times: Object.fromEntries(
      TABLE_TIMES.map((name) => [
        name,
        Float32Array.from(rows, ({ outcome, times }) => {
          if (name === 'ttlb') return outcome === 'cache' || outcome === 'worker' ? Number.NaN : total(times);
          return outcome === 'opaque' || outcome === 'cache' || outcome === 'failed' || outcome === 'worker'
            ? Number.NaN
            : times[name];
        }),
      ]),
    ) as Record<TableTime, Float32Array>,
  };
}

function numbering<T>(rows: readonly RequestRow[], of: (row: RequestRow) => T): { items: T[]; codes: Int32Array } {
  const items: T[] = [];
  const indices = new Map<string, number>();
  const codes = Int32Array.from(rows, (row) => {
    const item = of(row);
    const id = JSON.stringify(item);
    const index = indices.get(id) ?? items.push(item) - 1;
    indices.set(id, index);
    return index;
  });
  return { items, codes };
}

const DAY = 24 * 3_600_000;
const HOUR = 3_600_000;
/** A Monday. */
export const FIRST = Date.UTC(2026, 8, 7);
export const DAYS = 10;
const SITES = ['Berlin', 'Lyon', 'Oslo', 'Turin'];
const BROWSERS_PER_SITE = 5;

/** Two apps with a host for pages, files and calls each. */
const REQUESTS = ['erp', 'shop'].flatMap((target) => [
  { target, host: `${target}.example.com`, template: '/', type: 'document', wait: 60, protocol: 'h2' },
  { target, host: `${target}.example.com`, template: '/list', type: 'document', wait: 80, protocol: 'h2' },
  { target, host: `${target}.example.com`, template: '/app.js', type: 'script', wait: 12, protocol: 'h2' },
  { target, host: `${target}.example.com`, template: '/app.css', type: 'style', wait: 11, protocol: 'h2' },
  { target, host: `${target}.example.com`, template: '/logo.png', type: 'image', wait: 10, protocol: 'h2' },
  { target, host: `api.${target}.example.com`, template: '/user', type: 'fetch', wait: 40, protocol: 'h2' },
  { target, host: `api.${target}.example.com`, template: '/items', type: 'fetch', wait: 90, protocol: 'h2' },
  { target, host: `old.${target}.example.com`, template: '/report', type: 'fetch', wait: 70, protocol: 'http/1.1' },
]);

/** Twenty browsers that open everything at nine, ten, eleven and fourteen o'clock on each of six days. Nothing is wrong. */
export function ordinaryRows(): RequestRow[] {
  const rows: RequestRow[] = [];
  for (const [place, site] of SITES.entries()) {
    for (let browser = 0; browser < BROWSERS_PER_SITE; browser++) {
      for (let day = 0; day < DAYS; day++) {
        for (const hour of [9, 10, 11, 14]) {
          for (const [number, { wait, ...request }] of REQUESTS.entries()) {
            // Every fourth request opens a connection; times differ by up to a tenth.
            const fresh = (number + browser + day + hour) % 4 === 0;
            const factor = 1 + ((number * 7 + browser * 5 + day * 3 + hour) % 11) / 100;
            const file = request.type === 'script' || request.type === 'style';
            rows.push({
              ...request,
              client: `${site}-${browser}`,
              site,
              at: FIRST + day * DAY + hour * HOUR + number * 1000,
              outcome: file && !fresh ? 'cache' : 'usable',
              connection: fresh ? 'new' : 'reused',
              handshake: fresh ? 'resumed' : 'unknown',
              issuer: 'CN=Public CA',
              size: 20_000,
              idle: fresh ? 90_000 : 3_000 + number * 1000,
              times: {
                blocked: 1,
                dns: fresh ? 8 : 0,
                tcp: fresh ? 15 + 3 * place : 0,
                tls: fresh ? 18 + 3 * place : 0,
                wait: wait * factor + 3 * place,
                receive: 4 * factor,
                redirect: 0,
              },
            });
          }
        }
      }
    }
  }
  return rows;
}
