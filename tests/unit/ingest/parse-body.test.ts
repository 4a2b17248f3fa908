import { expect, test } from 'vitest';
import { MAX_PARSED_BYTES, parseBody } from '../../../collector/ingest/parse-body.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

const batch = (rows: number) =>
  encodeBatch(
    ORIGIN,
    BATCH_ID,
    NOW,
    Array.from({ length: rows }, () => PLAIN_SAMPLE),
  );
const parse = (text: string) => parseBody(Buffer.from(text), false, NOW);

test('the largest batch is accepted with spaces, as Python writes it', () => {
  const spaced = JSON.stringify(batch(5000)).replaceAll(',', ', ').replaceAll('":', '": ');
  expect(parse(spaced)).toMatchObject({ ok: true, columns: { n: 5000 }, rejected: [] });
});

test.each([
  ['bytes', `{"a":"${'x'.repeat(MAX_PARSED_BYTES)}"}`],
  ['values', `{"a":[${'1,'.repeat(250_000)}1]}`],
  ['levels', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`],
  ['members', `{${'"a":1,'.repeat(130_000)}"b":1}`],
])('too many %s are refused before anything is built', (_what, text) => {
  expect(parse(text)).toMatchObject({ ok: false, code: 'batch_too_large' });
});

test('brackets, commas and escapes in texts count as text', () => {
  const text = JSON.stringify({ ...batch(1), mood: '[{,:"\\'.repeat(10_000) }, null, 1);
  expect(parse(text)).toMatchObject({ ok: true });
});

test.each(['', '{', '"', '"\\', '{"a":1}}', '\u{feff}{}'])('%j is not JSON', (text) => {
  expect(parse(text)).toMatchObject({ ok: false, code: 'invalid_json' });
});
