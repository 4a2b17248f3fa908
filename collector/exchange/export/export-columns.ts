import type { ClientInfo } from '../../../shared/sample/sample.ts';
import { NULL, type NumberName, type SampleColumns, type TextName } from '../../../shared/sample/sample-columns.ts';
import { toScenario } from '../../../shared/sample/scenario.ts';
import { PHASES, type Phase, TIME_NAMES, type TimeName } from '../../../shared/vocabulary/time-names.ts';
import type { Connection, Scheme } from '../../../shared/vocabulary/vocabulary.ts';

/**
 * How a column is written: `time` is a point in time (UTC), `ms` a duration in milliseconds with microseconds as decimals,
 * `whole` a whole number, `json` a JSON object as text.
 */
export type ColumnKind = 'time' | 'text' | 'whole' | 'ms' | 'json';

export interface ExportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** As in docs/export.md. */
  readonly meaning: string;
  /** The values of one block; `kind` determines which of the two forms they have. */
  read(columns: SampleColumns): ColumnValues;
}

/**
 * All columns that viewers get. Their strings describe the request, or are checked for small groups
 * (`IDENTIFYING_DIMENSIONS`). Any other column may be constant for one browser and so set its rows apart: a certificate
 * issued by one virus scanner, a coarse timer, the size of a page that greets its user by name.
 */
const VIEWER_COLUMNS: ReadonlySet<string> = new Set([
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
  'excluded',
  'status',
  ...TIME_NAMES.map((name) => `${name}Ms`),
  'serverTimeMs',
  'journey',
  'step',
  'browser',
]);

/** Columns not listed above are for admins only. */
export function forViewers({ name }: Pick<ExportColumn, 'name'>): boolean {
  return VIEWER_COLUMNS.has(name);
}

/** Numbers as they are stored (`ms` columns in µs), NULL if unknown; or a dictionary of strings with an index per row. */
export type ColumnValues =
  | { readonly numbers: Float64Array; readonly strings?: undefined }
  | { readonly strings: readonly string[]; readonly codes: Int32Array; readonly numbers?: undefined };

const PHASE_MEANINGS: Readonly<Record<Phase, string>> = {
  blocked: 'the gaps before the lookup, the connect and the request; of a `worker` the start-up of the service worker',
  dns: 'the lookup; 0 if none was needed',
  tcp: 'the TCP handshake; 0 on a reused connection',
  tls: 'the TLS handshake; unknown on plain HTTP, see `unknown`',
  wait: 'request sent to the first byte',
  receive: 'first byte to last byte',
};

/** The columns of an export, in order: every format writes them, and docs/export.md lists them. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  {
    name: 'startedAt',
    kind: 'time',
    nullable: false,
    meaning: 'when the request began, UTC, by the collector’s clock',
    read: (columns) => ({ numbers: columns.at() }),
  },
  text('target', false, 'id of the app it belongs to'),
  origin('site', (from) => from.site, 'label of the browser’s site; empty if it has none'),
  text('host', false, 'host name of the request, without its port'),
  text('scheme', false, '`http` or `https`'),
  text('template', false, 'path template such as `/orders/{n}`'),
  text('type', false, 'resource type: `document`, `script`, `style`, `image`, …, or `long_lived`'),
  text('protocol', true, '`http/1.1`, `h2`, `h3`; unknown if the browser hides it'),
  text('source', false, '`page` for users’ traffic, `probe-…` for probes, `har` or `har-…` for imported recordings'),
  text('connection', false, '`new`, `reused`, `cache`, `opaque`, `worker`, `failed`, `unknown`'),
  text('connectionEvidence', false, 'the fact that decided the connection class; for admins only'),
  { name: 'scenario', kind: 'text', nullable: true, meaning: '`http-new`, `https-reused`, …', read: readScenario },
  text('handshake', false, '`full`, `resumed` or `unknown`; for admins only'),
  text('handshakeEvidence', true, 'the fact that decided it; for admins only'),
  text(
    'excluded',
    true,
    'the rule that excludes it from timing statistics; its `connection` may exclude it too (data.md)',
  ),
  whole('status', 'HTTP status'),
  text('error', true, 'the browser’s error code of a failed request; for admins only'),
  ...PHASES.map((phase) => time(phase, PHASE_MEANINGS[phase])),
  time('redirect', 'redirects before the request; part of neither total'),
  time('ttfb', 'fetch start to the first byte of the response'),
  time('ttlb', 'fetch start to the last byte of the response'),
  text('unknown', true, 'which times are unknown and why: `dns=firefox_dns tls=plain_http`; for admins only'),
  text('responseMark', true, 'what ended `wait`; empty is `response_start`; for admins only'),
  whole('transferSize', 'bytes that crossed the network, headers included; for admins only'),
  whole('encodedBodySize', 'bytes of the encoded body; for admins only'),
  whole('decodedBodySize', 'bytes of the decoded body; for admins only'),
  whole('idleMs', 'milliseconds since this browser’s last response from the same origin; for admins only'),
  time('serverTime', 'what the server says it took (Server-Timing)', 'serverTimeMs'),
  {
    name: 'metrics',
    kind: 'json',
    nullable: true,
    meaning: 'allow-listed Server-Timing metrics; for admins only',
    read: readMetrics,
  },
  text('tlsVersion', true, 'Firefox only: `TLSv1.3`; for admins only'),
  text('tlsCipher', true, 'Firefox only; for admins only'),
  text('tlsKeyExchange', true, 'Firefox only; for admins only'),
  text('tlsIssuer', true, 'Firefox only: who issued the certificate; for admins only'),
  text('journey', true, 'id of the journey that made the request; empty for any other'),
  whole('step', 'number of its step in the journey, from 1'),
  whole('run', 'when that run began, by the browser’s own clock, epoch milliseconds; for admins only'),
  origin('browser', (from) => from.browser, '`chromium` or `firefox`; in recordings also `safari`, `ie` or `other`'),
  origin('browserVersion', (from) => from.browserVersion, 'for admins only'),
  origin('extensionVersion', (from) => from.extensionVersion, 'for admins only'),
  {
    name: 'clockStepMs',
    kind: 'ms',
    nullable: false,
    meaning: 'smallest step of the browser’s timer; for admins only',
    read: (columns) => ({
      numbers: Float64Array.from(columns.origin(), (index) => columns.origins[index]?.clockStep ?? NULL),
    }),
  },
  origin('client', (from) => from.client, 'the browser’s random number of the month; for admins only'),
];

function text(name: TextName, nullable: boolean, meaning: string): ExportColumn {
  return {
    name,
    kind: 'text',
    nullable,
    meaning,
    read(columns) {
      const { strings, codes } = columns.text(name);
      return { strings, codes: nullable ? withoutEmpty(strings, codes) : codes };
    },
  };
}

function whole(name: NumberName, meaning: string): ExportColumn {
  return { name, kind: 'whole', nullable: true, meaning, read: (columns) => ({ numbers: columns.number(name) }) };
}

function time(name: TimeName | 'serverTime', meaning: string, column = `${name}Ms`): ExportColumn {
  return { name: column, kind: 'ms', nullable: true, meaning, read: (columns) => ({ numbers: columns.number(name) }) };
}

function origin(name: string, of: (from: ClientInfo) => string, meaning: string): ExportColumn {
  return {
    name,
    kind: 'text',
    nullable: false,
    meaning,
    read: (columns) => ({ strings: columns.origins.map(of), codes: columns.origin() }),
  };
}

/** The store may keep an empty string if nothing is unknown. */
function withoutEmpty(strings: readonly string[], codes: Int32Array): Int32Array {
  const empty = new Set(strings.flatMap((string, index) => (string === '' ? [index] : [])));
  return empty.size === 0 ? codes : codes.map((code) => (empty.has(code) ? NULL : code));
}

function readScenario(columns: SampleColumns): ColumnValues {
  const schemes = columns.text('scheme');
  const connections = columns.text('connection');
  const width = connections.strings.length;
  const strings: string[] = [];
  const indexes = Int32Array.from({ length: schemes.strings.length * width }, (_, pair) => {
    const scheme = schemes.strings[Math.floor(pair / width)] as Scheme;
    const scenario = toScenario({ scheme, connection: connections.strings[pair % width] as Connection });
    return scenario === null ? NULL : strings.push(scenario) - 1;
  });
  const codes = schemes.codes.map((code, row) => indexes[code * width + (connections.codes[row] as number)] ?? NULL);
  return { strings, codes };
}

function readMetrics(columns: SampleColumns): ColumnValues {
  const codes = new Int32Array(columns.n).fill(NULL);
  const strings: string[] = [];
  const series = columns.metricNames.map((name) => [name, columns.metric(name)] as const);
  if (series.length === 0) return { strings, codes };
  for (let row = 0; row < columns.n; row++) {
    const known = series.filter(([, values]) => !Number.isNaN(values[row]));
    if (known.length === 0) continue;
    codes[row] =
      strings.push(JSON.stringify(Object.fromEntries(known.map(([name, values]) => [name, values[row]])))) - 1;
  }
  return { strings, codes };
}
