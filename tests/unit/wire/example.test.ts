import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { PROTOTYPE_NAMES, withTextReplaced } from '../fixtures/prototype-names.ts';
import { decodeToSamples as decodeBatch } from './decode-to-samples.ts';

test('the example in the docs is a batch of three samples exactly as the encoder writes it', async () => {
  const example = JSON.parse(await readFile('docs/examples/batch.json', 'utf8'));
  const decoded = decodeBatch(example, example.sentAt);
  expect(decoded).toMatchObject({ ok: true, rejected: [], clockCorrection: 0 });
  if (!decoded.ok) return;
  expect(decoded.samples.map(({ connection }) => connection)).toEqual(['new', 'reused', 'opaque']);
  expect(encodeBatch(decoded.origin, decoded.batchId, example.sentAt, decoded.samples)).toEqual(example);
});

test.each(PROTOTYPE_NAMES)(
  'no text of a batch finds anything by the name %s: it is taken as it is, or refused',
  async (name) => {
    const example = JSON.parse(await readFile('docs/examples/batch.json', 'utf8'));
    const status = {
      state: 'collecting',
      waiting: 1,
      dropped: { [name]: 1 },
      rejected: { [name]: 1 },
      lost: { [name]: 1 },
      turns: [
        {
          probe: name.toLowerCase(),
          target: 'erp',
          at: example.sentAt,
          skipped: null,
          scenarios: [{ scenario: 'https-new', method: 'x', kept: 0, discarded: { [name]: 2 }, unavailable: 'x' }],
          steps: ['x'],
        },
      ],
    };
    const changed = [...withTextReplaced({ ...example, status }, name)];
    expect(changed.length).toBeGreaterThan(20);
    for (const { path, value } of changed) {
      const decoded = decodeBatch(value, example.sentAt);
      if (decoded.ok) expect(decoded.samples.length + decoded.rejected.length, path).toBe(3);
    }
  },
);
