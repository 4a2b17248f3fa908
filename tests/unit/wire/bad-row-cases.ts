import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import type { IgnoredValue, RowCode } from '../../../shared/wire/wire-codes.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';

/** Paths into the batch and what they are set to; row 1 of three is spoilt. */
export type Spoil = readonly (readonly [path: string, value: unknown])[];

const TLS = { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', keyExchange: 'x25519', issuer: 'x' };
export const FULL = {
  ...PLAIN_SAMPLE,
  responseMark: 'web_request',
  handshakeEvidence: 'probe',
  error: 'NS_ERROR_NET_RESET',
  idleMs: 1,
  excluded: 'status',
  tls: TLS,
  journey: 'sign-in',
  step: 3,
  run: NOW - 5000,
} as const;

/** Three rows, of which the second is spoilt. */
export function spoiltBatch(spoil: Spoil): Record<string, unknown> {
  const rows = [FULL, FULL, FULL];
  const batch = JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, rows))) as Record<string, unknown>;
  for (const [path, value] of spoil) set(batch, path.split('.'), value);
  return batch;
}

function set(parent: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) parent[name] = value;
  else set(parent[name] as Record<string, unknown>, rest, value);
}

/** A second dictionary entry that row 1 alone points at. */
export const entry = (name: string, value: unknown): Spoil => [
  [`dictionaries.${name}.1`, value],
  [`columns.${name}.1`, 1],
];
const times = (name: string, value: unknown): Spoil => [[`columns.times.${name}.1`, value]];
const number = (name: string, value: unknown): Spoil => [[`columns.${name}.1`, value]];
const reason = (value: unknown): Spoil => [
  ['dictionaries.unknown', [value]],
  ['columns.unknown', [null, 0, null]],
];

export const BAD_ROWS: readonly (readonly [code: RowCode, what: string, spoil: Spoil])[] = [
  [
    'too_old',
    'eight days old',
    [
      ['columns.at.1', -8 * 86_400_000],
      ['columns.at.2', 8 * 86_400_000],
    ],
  ],
  [
    'in_future',
    'tomorrow',
    [
      ['columns.at.1', 86_400_000],
      ['columns.at.2', -86_400_000],
    ],
  ],
  ['bad_target', 'with capitals', entry('target', 'ERP')],
  ['bad_target', 'missing', number('target', null)],
  ['bad_target', 'index past the dictionary', number('target', 5)],
  ['bad_target', 'negative index', number('target', -1)],
  ['bad_target', 'index that is a name', number('target', '__proto__')],
  ['bad_target', 'broken index', number('target', 0.5)],
  ['bad_host', 'a whole URL', entry('host', 'https://erp.example.com/')],
  ['bad_host', 'with a port', entry('host', 'erp.example.com:8443')],
  ['bad_host', 'with a user', entry('host', 'bob@erp.example.com')],
  ['bad_host', 'longer than DNS allows', entry('host', `${'a.'.repeat(127)}com`)],
  ['bad_scheme', 'ftp', entry('scheme', 'ftp')],
  ['bad_template', 'with a query', entry('template', '/search?q=salary')],
  ['bad_template', 'with a fragment', entry('template', '/a#b')],
  ['bad_template', 'with a change of direction', entry('template', '/a\u202eb')],
  ['bad_template', 'too long', entry('template', `/${'a'.repeat(512)}`)],
  ['bad_template', 'an object', entry('template', { toString: 1 })],
  ['bad_type', 'unknown word', entry('type', 'hologram')],
  ['bad_type', 'a name of Object.prototype', entry('type', 'constructor')],
  ['bad_protocol', 'with a space', entry('protocol', 'http 1')],
  ['bad_source', 'unknown', entry('source', 'rumour')],
  ['bad_source', 'an import, which questions leave out', entry('source', 'har-old')],
  ['bad_connection', 'unknown word', entry('connection', 'magic')],
  ['bad_connection_evidence', 'empty', entry('connectionEvidence', '')],
  ['bad_handshake', 'unknown word', entry('handshake', 'half')],
  ['bad_handshake_evidence', 'a number', entry('handshakeEvidence', 7)],
  ['bad_excluded', 'unknown word', entry('excluded', 'boring')],
  ['bad_error', 'a control character', entry('error', 'a\nb')],
  ['bad_response_mark', 'unknown word', entry('responseMark', 'guess')],
  [
    'bad_response_mark',
    'unknown word, and a reason that is none',
    [...entry('responseMark', 'guess'), ...reason(['opaque'])],
  ],
  ['bad_unknown', 'unknown reason', reason({ tls: 'because' })],
  ['bad_unknown', 'unknown time', reason({ lunch: 'opaque' })],
  ['bad_unknown', 'an own __proto__', reason(JSON.parse('{"__proto__":"opaque"}'))],
  ['bad_unknown', 'a list', reason(['opaque'])],
  ['bad_tls', 'an issuer that is an object', entry('tlsIssuer', {})],
  ['bad_journey', 'with capitals', entry('journey', 'Sign-in')],
  ['bad_time', 'text', times('wait', '61000')],
  ['bad_time', 'a fraction of a microsecond', times('wait', 0.5)],
  ['bad_time', 'longer than a day', times('redirect', 86_400_000_001)],
  ['bad_time', 'an array', times('wait', [])],
  ['negative_time', 'below zero', times('receive', -1)],
  ['phases_exceed_total', 'one phase longer than the whole', times('wait', 61_001)],
  ['phases_exceed_total', 'ttfb after ttlb', times('ttfb', 146_901)],
  ['reason_missing', 'unknown without a reason', times('wait', null)],
  ['reason_without_null', 'a reason for a known time', reason({ wait: 'opaque' })],
  ['bad_status', 'below 100', number('status', 99)],
  ['bad_status', 'text', number('status', '200')],
];

/** Numbers that a sample is complete without. */
export const IGNORED_CASES: readonly (readonly [code: IgnoredValue, what: string, spoil: Spoil])[] = [
  ['bad_size', 'negative', number('transferSize', -1)],
  ['bad_size', 'past what a number holds', number('encodedBodySize', 2 ** 53)],
  ['bad_size', 'past a thousand terabytes', number('transferSize', 2 ** 50 + 1)],
  ['bad_size', 'true', number('decodedBodySize', true)],
  ['bad_idle', 'negative', number('idleMs', -1)],
  ['bad_step', 'step 1.5', number('step', 1.5)],
  ['bad_step', 'step 201', number('step', 201)],
  ['bad_step', 'a run after the last date', number('run', 8.65e15)],
  ['bad_server_time', 'a fraction', number('serverTime', 0.1)],
  ['bad_metric', 'text', number('metrics.cpu', '4')],
  ['bad_metric', 'endless', number('metrics.cpu', 1e16)],
  ['bad_metric', 'not a number', number('metrics.cpu', Number.NaN)],
  ['bad_server_time', 'more than a day', number('serverTime', 90_000_000_000)],
  ['bad_server_time', 'negative', number('serverTime', -5000)],
];
