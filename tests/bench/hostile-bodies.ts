import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  CONNECTIONS,
  HANDSHAKES,
  PROTOCOLS,
  RESOURCE_TYPES,
  SCENARIOS,
  SCHEMES,
  SOURCES,
} from '../../shared/vocabulary/vocabulary.ts';
import { MAX_BODY_BYTES, MAX_ROWS } from '../../shared/vocabulary/wire-limits.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';

/** Names by row; one for all rows unless given. */
interface AttackRows {
  readonly n: number;
  readonly at?: number;
  readonly site?: string;
  readonly client?: string;
  readonly target?: (row: number) => string;
  readonly host?: (row: number) => string;
  readonly template?: (row: number) => string;
  readonly status?: BrowserStatus;
}

/** A batch that any holder of an ingest key can write: valid but for what an attack puts into it. */
export function attackBatch({ n, at = Date.now() - 1000, ...names }: AttackRows): Record<string, unknown> {
  const { site = 'attack', client = `attack-${randomUUID()}`, status } = names;
  const target = dictionary(n, names.target ?? (() => 'erp'));
  const host = dictionary(n, names.host ?? (() => 'app-0.example.com'));
  const template = dictionary(n, names.template ?? (() => '/attack'));
  const zeros = new Array<number>(n).fill(0);
  return {
    version: 1,
    batch: randomUUID(),
    client,
    site,
    browser: 'chromium',
    browserVersion: '130.0',
    extensionVersion: '0.1.0',
    clockStep: 100,
    sentAt: Date.now(),
    n,
    ...(status === undefined ? {} : { status }),
    dictionaries: {
      target: target.entries,
      host: host.entries,
      scheme: ['https'],
      template: template.entries,
      type: ['fetch'],
      protocol: ['h2'],
      source: ['page'],
      connection: ['reused'],
      connectionEvidence: ['connect_at_fetch_start'],
      handshake: ['unknown'],
    },
    columns: {
      at: zeros.map((zero, row) => (row === 0 ? at : zero)),
      target: target.codes,
      host: host.codes,
      scheme: zeros,
      template: template.codes,
      type: zeros,
      protocol: zeros,
      source: zeros,
      connection: zeros,
      connectionEvidence: zeros,
      handshake: zeros,
      times: Object.fromEntries(
        ['blocked', 'dns', 'tcp', 'tls', 'redirect', 'wait', 'receive', 'ttfb', 'ttlb'].map((name) => [
          name,
          zeros.map(() => ({ wait: 20_000, receive: 1000, ttfb: 20_000, ttlb: 21_000 })[name] ?? 0),
        ]),
      ),
      status: zeros.map(() => 200),
    },
  };
}

function dictionary(n: number, name: (row: number) => string): { entries: string[]; codes: number[] } {
  const indexes = new Map<string, number>();
  const codes = Array.from({ length: n }, (_, row) => {
    const word = name(row);
    const index = indexes.get(word) ?? indexes.size;
    indexes.set(word, index);
    return index;
  });
  return { entries: [...indexes.keys()], codes };
}

/** Lone surrogates where browsers write names, among them in samples of days that are over. */
export function surrogateBatch(number: number): string {
  const lone = '\ud800';
  const at = Date.now() - (number % 2 === 0 ? 6 * 86_400_000 : 1000);
  const named = [{ site: lone }, { template: () => `/${lone}` }, { site: `x${lone}`, template: () => `/a/${lone}/b` }];
  return JSON.stringify(attackBatch({ n: 5, at, ...named[number % named.length] }));
}

/** A few KB each: one stays just below the limit and is no JSON, the other goes past it. */
export function gzipBombs(): readonly Buffer[] {
  return [MAX_BODY_BYTES - 1, 8 * MAX_BODY_BYTES].map((length) => gzipSync(Buffer.alloc(length, '0')));
}

/** A few kilobytes on the wire that are hundreds of thousands of objects once they are built. */
export function nestedBodies(): readonly Buffer[] {
  const shapes = [
    `[${new Array(900_000).fill('{}').join(',')}]`,
    `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`,
    `{${Array.from({ length: 200_000 }, (_, i) => `"${i.toString(36)}":[{}]`).join(',')}}`,
  ];
  return shapes.map((shape) => {
    const batch = JSON.stringify(attackBatch({ n: 1 }));
    return gzipSync(`${batch.slice(0, -1)},"extra":${shape}}`);
  });
}

let names = 0;

/** As many distinct names as a batch may have, none seen before. */
export function inventedNamesBatch(): Buffer {
  const first = names;
  names += MAX_ROWS;
  const name = (prefix: string) => (row: number) => `${prefix}${(first + row).toString(36)}`;
  return gzipSync(
    JSON.stringify(
      attackBatch({
        n: MAX_ROWS,
        target: (row) => (row % 2 === 0 ? name('t')(row) : 'erp'),
        host: (row) => `${name('h')(row)}.example.com`,
        template: name('/'),
      }),
    ),
  );
}

/** What multiplies to cells, all closed words. */
const CLOSED_WORDS = {
  type: RESOURCE_TYPES,
  connection: CONNECTIONS,
  protocol: PROTOCOLS,
  scheme: SCHEMES,
  handshake: HANDSHAKES,
  source: SOURCES,
} as const;
const LATE_HOURS = 160;
let cells = 0;

/** As many cells as rows, none seen before, in one of the hours that late samples may belong to. */
export function combinedCellsBatch(): Buffer {
  const at = Date.now() - 1000 - ((cells / MAX_ROWS) % LATE_HOURS) * 3_600_000;
  const batch = attackBatch({ n: MAX_ROWS, at, host: (row) => `app-${(cells + row) % 40}.example.com` });
  const rows = Array.from({ length: MAX_ROWS }, () => Math.floor(cells++ / 40));
  let radix = 1;
  for (const [name, entries] of Object.entries(CLOSED_WORDS)) {
    Object.assign(batch.dictionaries as object, { [name]: entries });
    Object.assign(batch.columns as object, { [name]: rows.map((n) => Math.floor(n / radix) % entries.length) });
    radix *= entries.length;
  }
  return gzipSync(JSON.stringify(batch));
}

let words = 0;
const word = () => `w${(++words).toString(36)}`.padEnd(100, 'x');
const counts = () => Object.fromEntries(Array.from({ length: 50 }, () => [word(), 1]));

/** A status whose every reason is a new one. */
export function inventedReasonsBatch(): Buffer {
  const status = {
    state: 'collecting',
    waiting: 0,
    dropped: counts(),
    rejected: counts(),
    lost: counts(),
    turns: [],
  } as const;
  return gzipSync(JSON.stringify(attackBatch({ n: 1, status })));
}

/** A status with all the turns of probes it may have, none of which ever ran. */
export function inventedTurnsBatch(): Buffer {
  const turns = Array.from({ length: 50 }, (_, turn) => ({
    probe: `p${(++words).toString(36)}`,
    target: 'erp',
    at: Date.now() - turn,
    skipped: null,
    scenarios: SCENARIOS.map((scenario) => ({
      scenario,
      method: word(),
      kept: 1,
      discarded: counts(),
      unavailable: word(),
    })),
    steps: Array.from({ length: 20 }, word),
  }));
  const status = { state: 'collecting', waiting: 0, dropped: {}, rejected: {}, lost: {}, turns };
  return gzipSync(JSON.stringify(attackBatch({ n: 1, status: status as unknown as BrowserStatus })));
}
