import { scenarioOf } from '../../shared/classify/scenario.ts';
import type { BatchOrigin } from '../../shared/sample/sample.ts';
import { NULL, type NumberName, type SampleColumns, type TextName } from '../../shared/sample/sample-columns.ts';
import type { Connection, Scheme } from '../../shared/sample/vocabulary.ts';
import { PHASES, type Phase, type TimeName } from '../../shared/timing/time-names.ts';

/**
 * How a column is written: `time` is a moment (UTC), `ms` a duration in milliseconds with its microseconds behind the
 * point, `whole` a whole number, `json` a JSON object as text.
 */
export type ColumnKind = 'time' | 'text' | 'whole' | 'ms' | 'json';

export interface ExportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** What docs/export.md prints. */
  readonly meaning: string;
  /** A single browser is named to admins only. */
  readonly adminsOnly?: boolean;
  /** The values of one block; which of the two there is follows from `kind`. */
  read(columns: SampleColumns): ColumnValues;
}

/** Numbers as they are stored (`ms` columns in µs), NULL where unknown; words as places in a list of distinct ones. */
export type ColumnValues =
  | { readonly numbers: Float64Array; readonly words?: undefined }
  | { readonly words: readonly string[]; readonly codes: Int32Array; readonly numbers?: undefined };

const PHASE_MEANINGS: Readonly<Record<Phase, string>> = {
  blocked: 'the gaps before the lookup, the connect and the request',
  dns: 'the lookup; 0 where none was needed',
  tcp: 'the TCP handshake; 0 on a reused connection',
  tls: 'the TLS handshake; unknown on plain HTTP, see `unknown`',
  wait: 'request sent to the first byte',
  receive: 'first byte to last byte',
};

/** The one table of what an export holds, in its order: every format writes these columns, and docs/export.md lists them. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  {
    name: 'startedAt',
    kind: 'time',
    nullable: false,
    meaning: 'when the request began, UTC, by the collector’s clock',
    read: (columns) => ({ numbers: columns.at() }),
  },
  text('target', false, 'id of the app it belongs to'),
  origin('site', (from) => from.site, 'label of where the browser stands; empty where none was given'),
  text('host', false, 'host name that was asked, without its port'),
  text('scheme', false, '`http` or `https`'),
  text('template', false, 'path template such as `/orders/{n}`'),
  text('type', false, 'resource type: `document`, `script`, `style`, `image`, …'),
  text('protocol', true, '`http/1.1`, `h2`, `h3`; unknown where the browser hides it'),
  text('source', false, '`page` for users’ traffic, `probe-…` for probes, `har` or `har-…` for imported recordings'),
  text('connection', false, '`new`, `reused`, `cache`, `opaque`, `worker`, `failed`, `unknown`'),
  text('connectionEvidence', false, 'the fact that decided the connection class'),
  { name: 'scenario', kind: 'text', nullable: true, meaning: '`http-new`, `https-reused`, …', read: readScenario },
  text('handshake', false, '`full`, `resumed` or `unknown`'),
  text('handshakeEvidence', true, 'the fact that decided it'),
  text('excluded', true, 'why it stays out of timing statistics; empty where it may be used'),
  whole('status', 'HTTP status'),
  text('error', true, 'the browser’s error code of a failed request'),
  ...PHASES.map((phase) => time(phase, PHASE_MEANINGS[phase])),
  time('redirect', 'redirects before the request; outside of both totals'),
  time('ttfb', 'fetch start to the first byte of the answer'),
  time('ttlb', 'fetch start to the last byte of the answer'),
  text('unknown', true, 'which times are unknown and why: `dns=firefox_dns tls=plain_http`'),
  text('responseMark', true, 'what ended `wait`; empty is `response_start`'),
  whole('transferSize', 'bytes that crossed the network, headers included'),
  whole('encodedBodySize', 'bytes of the body as sent'),
  whole('decodedBodySize', 'bytes of the body unpacked'),
  // With the time of a request it leads to the one before, and from there to all that one browser asked for.
  whole('idleMs', 'milliseconds since this browser’s last answer from the same origin; for admins only', true),
  time('serverTime', 'what the server says it took (Server-Timing)', 'serverTimeMs'),
  { name: 'metrics', kind: 'json', nullable: true, meaning: 'allow-listed Server-Timing metrics', read: readMetrics },
  text('tlsVersion', true, 'Firefox only: `TLSv1.3`'),
  text('tlsCipher', true, 'Firefox only'),
  text('tlsKeyExchange', true, 'Firefox only'),
  text('tlsIssuer', true, 'Firefox only: who issued the certificate'),
  origin('browser', (from) => from.browser, '`chromium` or `firefox`'),
  origin('browserVersion', (from) => from.browserVersion, 'for admins only', true),
  origin('extensionVersion', (from) => from.extensionVersion, 'for admins only', true),
  {
    name: 'clockStepMs',
    kind: 'ms',
    nullable: false,
    meaning: 'smallest step of the browser’s timer',
    read: (columns) => ({
      numbers: Float64Array.from(columns.origin(), (place) => columns.origins[place]?.clockStep ?? NULL),
    }),
  },
  origin('client', (from) => from.client, 'the browser’s random number of the month; for admins only', true),
];

function text(name: TextName, nullable: boolean, meaning: string): ExportColumn {
  return {
    name,
    kind: 'text',
    nullable,
    meaning,
    read(columns) {
      const { entries, codes } = columns.text(name);
      return { words: entries, codes: nullable ? withoutEmpty(entries, codes) : codes };
    },
  };
}

function whole(name: NumberName, meaning: string, adminsOnly = false): ExportColumn {
  const read = (columns: SampleColumns) => ({ numbers: columns.number(name) });
  return { name, kind: 'whole', nullable: true, meaning, adminsOnly, read };
}

function time(name: TimeName | 'serverTime', meaning: string, column = `${name}Ms`): ExportColumn {
  return { name: column, kind: 'ms', nullable: true, meaning, read: (columns) => ({ numbers: columns.number(name) }) };
}

function origin(name: string, of: (from: BatchOrigin) => string, meaning: string, adminsOnly = false): ExportColumn {
  return {
    name,
    kind: 'text',
    nullable: false,
    meaning,
    ...(adminsOnly ? { adminsOnly } : {}),
    read: (columns) => ({ words: columns.origins.map(of), codes: columns.origin() }),
  };
}

/** Where nothing is unknown the store may keep an empty text. */
function withoutEmpty(entries: readonly string[], codes: Int32Array): Int32Array {
  const empty = new Set(entries.flatMap((entry, place) => (entry === '' ? [place] : [])));
  return empty.size === 0 ? codes : codes.map((code) => (empty.has(code) ? NULL : code));
}

function readScenario(columns: SampleColumns): ColumnValues {
  const schemes = columns.text('scheme');
  const connections = columns.text('connection');
  const width = connections.entries.length;
  const words: string[] = [];
  const places = Int32Array.from({ length: schemes.entries.length * width }, (_, place) => {
    const scheme = schemes.entries[Math.floor(place / width)] as Scheme;
    const scenario = scenarioOf({ scheme, connection: connections.entries[place % width] as Connection });
    return scenario === null ? NULL : words.push(scenario) - 1;
  });
  const codes = schemes.codes.map((code, row) => places[code * width + (connections.codes[row] as number)] ?? NULL);
  return { words, codes };
}

function readMetrics(columns: SampleColumns): ColumnValues {
  const codes = new Int32Array(columns.n).fill(NULL);
  const words: string[] = [];
  const series = columns.metricNames.map((name) => [name, columns.metric(name)] as const);
  if (series.length === 0) return { words, codes };
  for (let row = 0; row < columns.n; row++) {
    const known = series.filter(([, values]) => !Number.isNaN(values[row]));
    if (known.length === 0) continue;
    codes[row] = words.push(JSON.stringify(Object.fromEntries(known.map(([name, values]) => [name, values[row]])))) - 1;
  }
  return { words, codes };
}
