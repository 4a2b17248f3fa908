import { expect, test } from 'vitest';
import type { ExportColumn } from '../../../collector/exchange/export/export-columns.ts';
import { encodeParquet } from '../../../collector/exchange/export/parquet-format.ts';
import { toSampleColumns } from '../../../collector/storage/columns/batch-columns.ts';

const ROWS = 10_000;

test('a large block is written in pieces of a few rows each, and its columns are read once', async () => {
  let reads = 0;
  const startedAt: ExportColumn = {
    name: 'startedAt',
    kind: 'time',
    nullable: false,
    meaning: '',
    read(columns) {
      reads++;
      return { numbers: columns.at() };
    },
  };
  async function* blocks() {
    yield toSampleColumns({
      n: ROWS,
      origins: [],
      at: Float64Array.from({ length: ROWS }, (_, row) => row),
      origin: new Int32Array(ROWS),
      texts: [],
      numbers: [],
      metrics: [],
    });
  }
  let pieces = 0;
  for await (const _piece of encodeParquet(blocks(), [startedAt], { version: '1' })) pieces++;
  // The last is the index.
  expect(pieces).toBe(ROWS / 1000 + 1);
  expect(reads).toBe(1);
});
