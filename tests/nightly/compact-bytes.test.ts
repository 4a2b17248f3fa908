import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import { encodeHotChunk } from '../../collector/storage/columns/hot-chunk.ts';
import { createCompaction } from '../../collector/storage/sqlite/compact-chunks.ts';
import { migrate } from '../../collector/storage/sqlite/migrations.ts';
import { openDatabase } from '../../collector/storage/sqlite/open-database.ts';
import { createWriter, NO_WRITES } from '../../collector/storage/sqlite/store-writes.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY = Math.floor(NOW / DAY_MS) - 1;
const MIB = 2 ** 20;
/** Rows of a chunk, each with a template of its own of a kilobyte. */
const ROWS = 1_000;
const CHUNKS = 40;

test('small chunks with long texts are merged some at a time, and all of them in the end', async () => {
  const database = openDatabase({ file: join(await temporaryFolder(), 'lastbyte.sqlite'), maxBytes: null });
  onTestFinished(() => void database.close());
  migrate(database, () => {});
  const write = createWriter(database, false);
  const step = database.prepare<[], number>('SELECT step FROM state').pluck();
  const inStore = database.prepare<[], { id: number; n: number; bytes: number }>(
    'SELECT id, n, length(bytes) AS bytes FROM chunk',
  );
  const samples = () => inStore.all().reduce((sum, { n }) => sum + n, 0);

  // Some of them reach over the whole day, as late samples do.
  const given = Array.from({ length: CHUNKS }, (_, chunk) => {
    const of = Array.from({ length: ROWS }, (_, row) => ({
      ...PLAIN_SAMPLE,
      at: DAY * DAY_MS + (chunk % 10 === 0 ? row * 80_000 : HOUR_MS + row),
      template: `/${chunk}/${row}/${'é'.repeat(490)}`,
    }));
    return encodeHotChunk([{ origin: ORIGIN, columns: toBatchColumns(of) }]);
  });
  write({ ...NO_WRITES, step: step.get() ?? 0, addedChunks: given }, NOW);

  const compact = createCompaction(database);
  const merged: number[] = [];
  for (let left = samples(); left === CHUNKS * ROWS; left = samples()) {
    const writes = compact(step.get() ?? 0, DAY);
    if (writes === null) break;
    const before = new Map(inStore.all().map(({ id, bytes }) => [id, bytes]));
    merged.push(writes.removedChunks.reduce((sum, id) => sum + (before.get(id) ?? 0), 0));
    write(writes, NOW);
    expect(merged.length).toBeLessThan(CHUNKS);
  }
  expect(samples()).toBe(CHUNKS * ROWS);
  expect(merged.length).toBeGreaterThan(1);
  expect(Math.max(...merged)).toBeLessThan(36 * MIB);
  expect(inStore.all().filter(({ n, bytes }) => n < 15_000 && bytes < 4 * MIB).length).toBeLessThan(2);
});
