import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { AdmissionControl } from '../../collector/ingest/admission/admission.ts';
import { createClientQuotas } from '../../collector/ingest/admission/client-quotas.ts';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { createBodyParser } from '../../collector/ingest/parse-body.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { encodeBytes } from '../../shared/wire/encode-bytes.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SENT = { receivedAt: NOW, key: 'key-1' };
const SCRIPT = pathToFileURL(join(import.meta.dirname, '../../dist/parse-thread.mjs'));

const bytesOf = (id: string, templates: readonly string[]) =>
  Buffer.from(
    encodeBytes(
      encodeBatch(
        ORIGIN,
        id,
        NOW,
        templates.map((template) => ({ ...PLAIN_SAMPLE, template })),
      ),
      (text) => Buffer.from(text),
    ),
  );

test('batches that two threads have read are stored together, each with its own strings', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'server', clock: () => NOW });
  const parser = createBodyParser(SCRIPT);
  onTestFinished(async () => {
    await parser.close();
    await store.close();
  });
  const admitted = new AdmissionControl(createClientQuotas(), () => 0).admitBatch('key-1', '192.0.2.1');
  const [here, there] = ['here', 'there'].map((where) => Array.from({ length: 20 }, (_, n) => `/${where}/${n}`)) as [
    string[],
    string[],
  ];
  const parsed = await parser.parse(bytesOf('7d6f5e4c-3b2a-4190-8f7e-6d5c4b3a2910', there), true, NOW, admitted);
  if (!parsed.ok) throw new Error(parsed.message);
  const outcomes = await createIngestBodies(store.samples)([
    { bytes: bytesOf('7d6f5e4c-3b2a-4190-8f7e-6d5c4b3a2911', here), isBinary: true, ...SENT },
    { bytes: new Uint8Array(0), parsed, ...SENT },
  ]);
  expect(outcomes).toMatchObject([{ answer: { accepted: 20 } }, { answer: { accepted: 20 } }]);
  const stored: string[] = [];
  for await (const block of store.samples.scan({ range: { from: 0, to: NOW + 1 }, filters: {} })) {
    stored.push(...block.map(({ template }) => template));
  }
  expect(stored.sort()).toEqual([...here, ...there].sort());
});
