import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { createBufferPool } from '../../../collector/storage/columns/buffer-pool.ts';
import { concatColumns } from '../../../collector/storage/columns/concat-columns.ts';
import { decodeChunk } from '../../../collector/storage/columns/decode-chunk.ts';
import { encodeChunk } from '../../../collector/storage/columns/encode-chunk.ts';
import { encodeHotChunk } from '../../../collector/storage/columns/hot-chunk.ts';
import { mergeColumns } from '../../../collector/storage/columns/merge-columns.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { rowReader } from '../../../shared/sample/sample-reader.ts';
import { rounds } from '../../rounds.ts';
import { arbitrarySample, ORIGIN, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';
import { batchSamples } from '../wire/batch-samples.ts';
import { columnsOf } from '../wire/read-columns-of.ts';

const batches = fc.array(
  fc.record({
    site: fc.constantFrom('', 'Ulm', 'Wien'),
    samples: fc.array(arbitrarySample, { minLength: 1, maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 5 },
);

function rows(columns: SampleColumns): StoredSample[] {
  const read = rowReader(columns);
  return Array.from({ length: columns.n }, (_, row) => read(row));
}

test('what goes into a chunk comes out of it, hot, merged and compact', () => {
  fc.assert(
    fc.property(batches, (given) => {
      const samples = given.flatMap(({ site, samples: own }) =>
        own.map((s) => ({ ...s, origin: { ...ORIGIN, site } })),
      );
      const hot = encodeHotChunk(
        given.map(({ site, samples: own }) => ({ origin: { ...ORIGIN, site }, columns: toBatchColumns(own) })),
      );
      expect(rows(decodeChunk(hot.bytes))).toEqual(samples);
      expect(hot).toMatchObject({
        n: samples.length,
        t0: Math.min(...samples.map(({ at }) => at)),
        t1: Math.max(...samples.map(({ at }) => at)),
      });

      const twice = [decodeChunk(hot.bytes), decodeChunk(hot.bytes)];
      const compact = encodeChunk(mergeColumns(twice.map((columns) => ({ columns, rows: null }))), true);
      const ordered = [...samples, ...samples].sort((a, b) => a.at - b.at);
      expect(rows(decodeChunk(compact.bytes))).toEqual(ordered);
    }),
    { seed: 21, numRuns: rounds(50, 150) },
  );
});

test('chunks of any kind, taken together, give their rows in order, and the next ones too in the same room', () => {
  const room = createBufferPool();
  fc.assert(
    fc.property(batches, (given) => {
      const samples = given.flatMap(({ site, samples: own }) =>
        own.map((s) => ({ ...s, origin: { ...ORIGIN, site } })),
      );
      const hot = given.map(({ site, samples: own }) =>
        encodeHotChunk([{ origin: { ...ORIGIN, site }, columns: toBatchColumns(own) }]),
      );
      // Every other one as upkeep would have written it: some of its columns are only differences to others.
      const kept = hot.map(({ bytes }, place) =>
        place % 2 === 0 ? bytes : encodeChunk(decodeChunk(bytes), true).bytes,
      );
      const all = concatColumns(kept, room);
      expect(rows(all)).toEqual(samples);
      const { strings } = all.text('host');
      // Rollups look for a word once.
      expect(strings).toEqual([...new Set(strings)]);
    }),
    { seed: 22, numRuns: rounds(40, 100) },
  );
});

test('a chunk of many batches has each word once', () => {
  const hostsFrom = (from: number) =>
    columnsOf(Array.from({ length: 900 }, (_, n) => ({ ...PLAIN_SAMPLE, metrics: {}, host: `h${from + n}.test` })));
  const batches = [0, 450, 900, 0].map(hostsFrom);
  const columns = decodeChunk(encodeHotChunk(batches.map((each) => ({ origin: ORIGIN, columns: each }))).bytes);
  expect(rows(columns).map(({ host }) => host)).toEqual(batches.flatMap(batchSamples).map(({ host }) => host));
  expect(columns.text('host').strings).toEqual(Array.from({ length: 1800 }, (_, n) => `h${n}.test`));
});

test('entries that no row uses are not stored', () => {
  const samples = ['/a', '/b', '/a'].map((template) => ({ ...PLAIN_SAMPLE, metrics: {}, template }));
  const unused = Array.from({ length: 900 }, (_, n) => `/unused/${n}/${'é'.repeat(400)}`);
  const [plain, padded] = [columnsOf(samples), columnsOf(samples, unused)].map((columns) =>
    encodeHotChunk([
      { origin: ORIGIN, columns },
      { origin: ORIGIN, columns: columnsOf(samples.slice(1), unused) },
    ]),
  );
  expect(decodeChunk(padded?.bytes ?? new Uint8Array()).text('template').strings).toEqual(['/a', '/b']);
  expect(padded?.bytes).toEqual(plain?.bytes);
});

test('a damaged chunk throws and is never read as something else', () => {
  const { bytes } = encodeHotChunk([
    { origin: ORIGIN, columns: toBatchColumns(fc.sample(arbitrarySample, { numRuns: 9, seed: 1 })) },
  ]);
  expect(() => decodeChunk(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
  expect(() => decodeChunk(Uint8Array.from([9, ...bytes.subarray(1)]))).toThrow('chunk format 9');
  expect(() => decodeChunk(bytes.subarray(0, 3))).toThrow(RangeError);
});
