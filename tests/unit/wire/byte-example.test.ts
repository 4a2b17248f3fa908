import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { encodeBytes } from '../../../shared/wire/encode-bytes.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { FULL } from './bad-row-cases.ts';
import { STATUS } from './status-fixture.ts';

const DECODER = 'docs/examples/decode_batch.py';
const encode = (batch: WireBatch) => Buffer.from(encodeBytes(batch, (text) => Buffer.from(text)));
const example = JSON.parse(await readFile('docs/examples/batch.json', 'utf8')) as WireBatch;
const python = spawnSync('python3', ['--version']);
const hasPython = python.status === 0;

test('the two examples in the docs are the same batch', async () => {
  expect(await readFile('docs/examples/batch.bin')).toEqual(encode(example));
});

test('the hex dump in the docs shows the example', async () => {
  const bytes = await readFile('docs/examples/batch.bin');
  const page = await readFile('docs/wire-format.md', 'utf8');
  const lines = [...page.matchAll(/^([0-9a-f]{4}) {2}((?:[0-9a-f]{2} )+) +\S/gm)];
  expect(lines.length).toBeGreaterThan(20);
  let next = 0;
  for (const [, offset = '', shown = ''] of lines) {
    const at = Number.parseInt(offset, 16);
    const hex = shown.trim().replaceAll(' ', '');
    expect(at, offset).toBe(next);
    expect(bytes.toString('hex', at, at + hex.length / 2), offset).toBe(hex);
    next = at + hex.length / 2;
  }
});

test('the decoder in the docs has at most 40 lines', async () => {
  expect((await readFile(DECODER, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});

test.skipIf(!hasPython)(`the decoder in the docs finds what JSON has${hasPython ? '' : ' (needs python3)'}`, () => {
  const full = { ...FULL, template: '/ä', responseMark: 'web_request', handshakeEvidence: 'probe' } as const;
  const metrics = { ...PLAIN_SAMPLE, at: NOW - 5000, metrics: { cpu: 1.5, db: 0 }, transferSize: 2 ** 40 };
  const made = encodeBatch(ORIGIN, BATCH_ID, NOW, [full, metrics, PLAIN_SAMPLE], STATUS);
  for (const batch of [example, JSON.parse(JSON.stringify(made)) as WireBatch]) {
    const { stdout, stderr } = spawnSync('python3', [DECODER], { input: encode(batch) });
    expect(stderr.toString()).toBe('');
    expect(JSON.parse(stdout.toString())).toEqual(batch);
  }
});
