import { expect, test } from 'vitest';
import { TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { IGNORED_VALUES, ROW_CODES } from '../../../shared/wire/wire-codes.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { BAD_ROWS, entry, FULL, IGNORED_CASES, type Spoil, spoiltBatch } from './bad-row-cases.ts';
import { decodeToSamples as decodeBatch } from './decode-to-samples.ts';

const decodeSpoilt = (spoil: Spoil) => decodeBatch(spoiltBatch(spoil), NOW);

test.each(BAD_ROWS)('%s: %s; the rows beside it are stored', (code, _what, spoil) => {
  const decoded = decodeSpoilt(spoil);
  expect(decoded).toMatchObject({ ok: true, rejected: [{ row: 1, code }] });
  expect(decoded.ok && decoded.samples).toEqual([FULL, FULL]);
});

test.each(IGNORED_CASES)('%s: %s costs the value and not the row', (code, _what, spoil) => {
  const decoded = decodeSpoilt(spoil);
  expect(decoded).toMatchObject({ ok: true, rejected: [], ignored: { [code]: 1 } });
  const name = spoil[0]?.[0].split('.')[1] ?? '';
  const without = name === 'metrics' ? { metrics: {} } : { [name]: null };
  expect(decoded.ok && decoded.samples).toEqual([FULL, { ...FULL, ...without }, FULL]);
});

test.each([[null], ['1'], [Number.NaN], [1.5]])('past a row whose time is %s no later time is known', (value) => {
  expect(decodeSpoilt([['columns.at.1', value]])).toMatchObject({
    ok: true,
    samples: [FULL],
    rejected: [
      { row: 1, code: 'bad_at' },
      { row: 2, code: 'bad_at' },
    ],
  });
});

test('every row code is reached by a case above', () => {
  const reached = new Set<string>(['bad_at', ...IGNORED_VALUES, ...BAD_ROWS.map(([code]) => code)]);
  expect(ROW_CODES.filter((code) => !reached.has(code))).toEqual([]);
});

test('a row without any time is taken if every time has its reason', () => {
  const unknown = Object.fromEntries(TIME_NAMES.map((name) => [name, 'failed'] as const));
  const times = Object.fromEntries(TIME_NAMES.map((name) => [name, null])) as typeof PLAIN_SAMPLE.times & object;
  const failed = { ...PLAIN_SAMPLE, times, unknown };
  expect(decodeBatch(encodeBatch(ORIGIN, BATCH_ID, NOW, [failed]), NOW)).toMatchObject({
    samples: [failed],
    rejected: [],
  });
});

test.each([
  ['template', 'bad_template', '/\ud800'],
  ['template', 'bad_template', '/a\udc00b'],
  ['connectionEvidence', 'bad_connection_evidence', '\ud83d'],
  ['handshakeEvidence', 'bad_handshake_evidence', '\ud83d'],
  ['error', 'bad_error', '\ud83d'],
  ['tlsVersion', 'bad_tls', '\ud83d'],
  ['tlsCipher', 'bad_tls', '\ud83d'],
  ['tlsKeyExchange', 'bad_tls', '\ud83d'],
  ['tlsIssuer', 'bad_tls', 'CN=\udfff'],
  ['host', 'bad_host', '\ud800'],
  ['target', 'bad_target', '\ud800'],
  ['protocol', 'bad_protocol', '\ud800'],
  ['source', 'bad_source', 'page\ud800'],
])('half of a surrogate pair in %s: %s', (name, code, text) => {
  expect(decodeSpoilt(entry(name, text))).toMatchObject({ ok: true, rejected: [{ row: 1, code }] });
});

test('whole surrogate pairs are text like any other', () => {
  expect(decodeSpoilt(entry('template', '/\u{1f600}'))).toMatchObject({ ok: true, rejected: [] });
});

test('an issuer in which something cannot be seen is another, and its row is stored', () => {
  const decoded = decodeSpoilt(entry('tlsIssuer', 'CN=a\u202eb'));
  expect(decoded).toMatchObject({ ok: true, rejected: [] });
  expect(decoded.ok && decoded.samples[1]?.tls?.issuer).toBe('(other)');
});
