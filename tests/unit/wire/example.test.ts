import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { decodeToSamples as decodeBatch } from './decode-to-samples.ts';

test('the example in the docs is a batch of three samples exactly as the encoder writes it', async () => {
  const example = JSON.parse(await readFile('docs/examples/batch.json', 'utf8'));
  const decoded = decodeBatch(example, example.sentAt);
  expect(decoded).toMatchObject({ ok: true, rejected: [], clockCorrection: 0 });
  if (!decoded.ok) return;
  expect(decoded.samples.map(({ connection }) => connection)).toEqual(['new', 'reused', 'opaque']);
  expect(encodeBatch(decoded.origin, decoded.batchId, example.sentAt, decoded.samples)).toEqual(example);
});
