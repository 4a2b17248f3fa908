import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { decodeBatch } from '../../../shared/wire/decode-batch.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';

test('the example in the docs is a batch of three samples exactly as the encoder writes it', async () => {
  const example = JSON.parse(await readFile('docs/examples/batch.json', 'utf8'));
  const decoded = decodeBatch(example, example.sentAt);
  expect(decoded).toMatchObject({ ok: true, rejected: [], clockCorrection: 0 });
  if (!decoded.ok) return;
  expect(decoded.samples.map(({ connection }) => connection)).toEqual(['new', 'reused', 'opaque']);
  expect(encodeBatch(decoded.origin, decoded.batchId, example.sentAt, decoded.samples)).toEqual(example);
});
