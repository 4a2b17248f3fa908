import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { importHar, NoHar } from '../../collector/exchange/import/import-har.ts';
import { createNameBounds } from '../../collector/ingest/bounds/name-bounds.ts';
import type { SampleStore } from '../../collector/storage/store.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { batchSamples } from '../unit/wire/batch-samples.ts';
import type { Fuzzer } from './fuzz.ts';
import { type Json, mutated, oddText, refuseHalfCharacters, spoilt } from './mutations.ts';

const TARGETS = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];

const word = (...usual: readonly string[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, oddText) as fc.Arbitrary<Json>;
const ms = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: 0, max: 500, noNaN: true }) },
  fc.constantFrom(-1, 0, 1e9),
);

const entry = fc.record({
  pageref: word('page_1'),
  startedDateTime: word('2026-02-20T11:00:00.000Z', '2026-02-20T11:00:00+01:00'),
  time: ms,
  _resourceType: word('document', 'xhr', 'stylesheet', 'image'),
  _fromCache: word('disk', ''),
  request: fc.record({
    method: word('GET'),
    url: word('https://erp.example.com/orders/17', 'http://erp.example.com/', 'https://cdn.example.net/app.js'),
    httpVersion: word('h2'),
  }),
  response: fc.record({
    status: fc.constantFrom<Json>(200, 302, 404, 0, -1, 99),
    httpVersion: word('HTTP/2.0', 'http/1.1'),
    headers: fc.constantFrom<Json>([], [{ name: 'Server-Timing', value: 'db;dur=4.5, total;dur=18' }]),
    content: fc.record({ size: ms, mimeType: word('text/html', 'text/css', 'x-unknown') }),
    bodySize: ms,
    headersSize: ms,
    _error: word(''),
  }),
  timings: fc.record({ blocked: ms, dns: ms, connect: ms, ssl: ms, send: ms, wait: ms, receive: ms }),
});

const har = fc.record({
  log: fc.record({
    version: fc.constant('1.2'),
    creator: fc.record({ name: word('WebInspector'), version: word('1') }),
    browser: fc.record({ name: word('Firefox'), version: word('128.0') }),
    pages: fc.array(fc.record({ id: word('page_1'), title: word('https://erp.example.com/') }), { maxLength: 2 }),
    entries: fc.array(entry, { maxLength: 6 }),
  }),
});

/** HAR files, each by its bytes. */
export const harFuzzer: Fuzzer<Buffer> = {
  name: 'har',
  arbitrary: spoilt(mutated(har as fc.Arbitrary<Json>, 4).map((document) => Buffer.from(JSON.stringify(document)))),
  async holds(bytes) {
    const folder = await mkdtemp(join(tmpdir(), 'lastbyte-fuzz-'));
    try {
      const file = join(folder, 'fuzz.har');
      await writeFile(file, bytes);
      await imports(file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  toCorpus: (bytes) => bytes.toString('utf8'),
  fromCorpus: (text: string) => Buffer.from(text),
};

/** It is imported as far as it can be read, or it is no HAR: nothing else, and no text comes out that cannot be stored. */
async function imports(file: string): Promise<void> {
  const append: SampleStore['append'] = async (batches) => {
    for (const { origin, columns } of batches) refuseHalfCharacters([origin, batchSamples(columns)]);
    return batches.map(({ id }) => ({ id, duplicate: false }));
  };
  const imported = await importHar(file, {
    targets: TARGETS,
    target: null,
    source: 'har',
    // Nothing else of a store is used to import.
    samples: { append } as SampleStore,
    names: createNameBounds(),
    site: '',
    keptFrom: 0,
    now: NOW,
  }).catch((error: unknown) => {
    if (error instanceof NoHar) return null;
    throw error;
  });
  if (imported === null) return;
  const { entries, accepted, duplicates, unreadable } = imported;
  if (accepted + duplicates + unreadable !== entries) {
    throw new Error(`${entries} entries, of which ${accepted} imported and ${unreadable} refused`);
  }
}
