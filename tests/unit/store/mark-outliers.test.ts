import { expect, test } from 'vitest';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { decodeChunk } from '../../../collector/storage/columns/decode-chunk.ts';
import { encodeHotChunk } from '../../../collector/storage/columns/hot-chunk.ts';
import { type OutlierRule, outlierMarker } from '../../../collector/storage/passes/mark-outliers.ts';
import { createRangeReader } from '../../../collector/storage/passes/range-reader.ts';
import { createCellCatalog } from '../../../collector/storage/rollups/cell-catalog.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { SKETCH_BOUND } from '../../../shared/statistics/sketch-buckets.ts';
import { request } from '../../collector/report-samples.ts';
import { NOW, ORIGIN } from '../wire/arbitrary-sample.ts';

const CHUNKS = 10;
const ROWS = 400;
const random = seededRandom(7);
/** Times of some 20 ms to seconds, µs, by chunk. */
const TIMES = Array.from({ length: CHUNKS }, () =>
  Array.from({ length: ROWS }, () => Math.round(20_000 * Math.exp(3 * random() * random()))),
);
const ALL = TIMES.flat().sort((a, b) => a - b);

async function markWith(rule: OutlierRule, maxValues: number) {
  const chunks = TIMES.map((times, i) => {
    const samples = times.map((ttlb, row) => request(NOW + i * 1000 + row, { wait: ttlb / 1000 }));
    return decodeChunk(encodeHotChunk([{ origin: ORIGIN, columns: toBatchColumns(samples) }]).bytes);
  });
  const catalog = createCellCatalog();
  const rows = () => chunks.map((columns) => ({ columns, ranges: null, t0: 0, stored: ROWS, lasting: true }));
  const reader = createRangeReader({ blocks: () => [], clientBlocks: () => [], rows }, catalog, true, { maxValues });
  const marker = await outlierMarker(rule, reader, {});
  let marked = 0;
  const pass = reader
    .changed((part) => {
      const found = marker?.mark(part) ?? { part, marked: 0 };
      marked += found.marked;
      return found.part;
    })
    .pass();
  let usable = 0;
  pass.rows((part) => {
    usable += part.metrics.usable().reduce((sum, flag) => sum + flag, 0);
  });
  await pass.run();
  return { marked, usable, exact: marker?.exactQuartiles };
}

const at = (q: number) => ALL[Math.floor(q * (ALL.length - 1))] ?? 0;
const longer = (fence: number) => ALL.filter((time) => time > fence).length;
const fence = (p25: number, p75: number) => p75 + 1.5 * (p75 - p25);

test('fences from every value leave out exactly what is beyond them', async () => {
  const beyond = longer(fence(at(0.25), at(0.75)));
  expect(beyond).toBeGreaterThan(20);
  const { marked, usable, exact } = await markWith({ rule: 'tukey' }, 60_000);
  expect([marked, usable, exact]).toEqual([beyond, ALL.length - beyond, true]);
});

test('of more values than are kept the quartiles are sketched, each within the bound, and that is said', async () => {
  const { marked, usable, exact } = await markWith({ rule: 'tukey' }, 1000);
  const [low, high] = [1 - SKETCH_BOUND, 1 + SKETCH_BOUND];
  expect(exact).toBe(false);
  expect(marked).toBeGreaterThanOrEqual(longer(fence(at(0.25) * low, at(0.75) * high)));
  expect(marked).toBeLessThanOrEqual(longer(fence(at(0.25) * high, at(0.75) * low)));
  expect(marked + usable).toBe(ALL.length);
});

test('a cap needs no quartiles, and is exact however many there are', async () => {
  const { marked, usable, exact } = await markWith({ rule: 'cap', ms: 100 }, 10);
  expect([marked, usable, exact]).toEqual([longer(100_000), ALL.length - longer(100_000), null]);
});
