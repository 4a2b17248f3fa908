import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DecodedBatch } from '../../../collector/ingest/decode/decode-batch.ts';
import { decodeJson } from '../../../collector/ingest/decode/decode-json.ts';
import { MAX_BODY_BYTES } from '../../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { rounds } from '../../rounds.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { batchSamples } from './batch-samples.ts';

const batch = (rows: number) =>
  encodeBatch(
    ORIGIN,
    BATCH_ID,
    NOW,
    Array.from({ length: rows }, () => PLAIN_SAMPLE),
  );
const decode = (text: string) => decodeJson(Buffer.from(text), NOW);
const plain = JSON.stringify(batch(2));
const changed = (from: string, to: string) => {
  expect(plain).toContain(from);
  return plain.replace(from, () => to);
};

test('the largest batch is accepted with spaces, as Python writes it', () => {
  const spaced = JSON.stringify(batch(5000)).replaceAll(',', ', ').replaceAll('":', '": ');
  expect(spaced.length).toBeLessThan(MAX_BODY_BYTES);
  expect(decode(spaced)).toMatchObject({ ok: true, columns: { n: 5000 }, rejected: [] });
});

test.each([
  ['values', `{"a":[${'1,'.repeat(250_000)}1]}`],
  ['levels', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`],
  ['members', `{${'"a":1,'.repeat(130_000)}"b":1}`],
])('too many %s are refused before anything is built', (_what, text) => {
  expect(decode(text)).toMatchObject({ ok: false, code: 'batch_too_large' });
});

test('brackets, commas and escapes in texts count as text', () => {
  const text = JSON.stringify({ ...batch(1), mood: '[{,:"\\'.repeat(10_000) }, null, 1);
  expect(decode(text)).toMatchObject({ ok: true });
});

test('a batch cut off anywhere is refused', () => {
  const bytes = Buffer.from(plain);
  for (let end = 0; end < bytes.length; end++) {
    expect(decodeJson(bytes.subarray(0, end), NOW), `${end}`).toMatchObject({ ok: false, code: 'invalid_json' });
  }
});

test('what was read stays as it is while others are read', () => {
  const first = decode(plain);
  const before = JSON.stringify(rows(first));
  for (let i = 0; i < 100; i++) decode(plain.replaceAll('200', '404').replace('erp.example.com', `h${i}.test`));
  expect(JSON.stringify(rows(first))).toBe(before);
});

test.each(['', '{', '"', '"\\', '{"a":1}}', '\u{feff}{}', plain.slice(0, -1), changed('[200,200]', '[0200,200]')])(
  '%j is not JSON',
  (text) => {
    expect(decode(text)).toMatchObject({ ok: false, code: 'invalid_json' });
  },
);

test.each([
  ['an escaped name of a column', changed('"columns"', '"\\u0063olumns"')],
  ['n after the columns', `${changed('"n":2,', '').slice(0, -1)},"n":2}`],
  ['an exponent', changed('[200,200]', '[2e2,200]')],
  ['__proto__ as a member', changed('"n":', '"__proto__":{"version":2},"n":')],
  ['an unknown time', changed('"times":{', '"times":{"thinking":[1,2],')],
])('%s changes nothing', (_what, text) => {
  expect(rows(decode(text))).toEqual(rows(decode(plain)));
});

test('the last of two members with one name counts, as in any JSON', () => {
  const twice = decode(changed('"status":[200,200]', '"status":[200,200],"status":[404,404]'));
  expect(twice.ok && batchSamples(twice.columns).map(({ status }) => status)).toEqual([404, 404]);
});

test('whatever bytes there are in place of text, nothing ill-formed is accepted', () => {
  const piece = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 4 }).map((raw) => Buffer.from(raw)),
    fc.constantFrom('\\ud800', '\\udc00', '\\ud83d\\ude00', '\ufffd', '\u{1f600}').map((text) => Buffer.from(text)),
  );
  const samples = [{ ...PLAIN_SAMPLE, error: 'x' }, PLAIN_SAMPLE];
  const base = JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, samples));
  const numRuns = rounds(1000, 3000);
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.constantFrom('/orders', ORIGIN.site, '"x"'),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      (name, pieces) => {
        const start = base.indexOf(name) + 1;
        const body = Buffer.concat([Buffer.from(base.slice(0, start)), ...pieces, Buffer.from(base.slice(start))]);
        const decoded = decodeJson(body, NOW);
        if (!decoded.ok) return;
        accepted++;
        const texts = decoded.columns.texts.flatMap((text) =>
          [...(text?.codes ?? [])].map((code) => text?.strings[code] ?? ''),
        );
        expect([decoded.origin.site, ...texts].every((text) => text.isWellFormed())).toBe(true);
      },
    ),
    { numRuns, seed: 13 },
  );
  expect(accepted).toBeGreaterThan(numRuns / 6);
});

function rows(decoded: DecodedBatch): unknown {
  return decoded.ok ? { ...decoded, columns: batchSamples(decoded.columns) } : decoded;
}
