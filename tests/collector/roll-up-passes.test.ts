import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { openDatabase } from '../../collector/storage/sqlite/open-database.ts';
import { createPendingRollup } from '../../collector/storage/sqlite/roll-up-pending.ts';
import { createStoredCatalog } from '../../collector/storage/sqlite/stored-catalog.ts';
import { RESOURCE_TYPES } from '../../shared/vocabulary/vocabulary.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HOUR = 3_600_000;

test('hours that do not fit into memory together are rolled up one after the other, to the same bytes', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  onTestFinished(() => store.close());
  const samples = Array.from({ length: 120 }, (_, n) => ({
    ...PLAIN_SAMPLE,
    at: NOW - (n % 24) * HOUR,
    type: RESOURCE_TYPES[n % 7] ?? ('other' as const),
  }));
  // Late ones in hours that are rolled up, in hours that are not, and in chunks that reach over many.
  await fill(store, samples.slice(0, 10));
  await store.maintenance.rollUp();
  for (let first = 10; first < samples.length; first += 30) await fill(store, samples.slice(first, first + 30));
  const database = openDatabase({ file: join(folder, 'lastbyte.sqlite'), maxBytes: null });
  onTestFinished(() => void database.close());

  const writesWith = (maxOpenCells: number) => {
    const writes = createPendingRollup(database, createStoredCatalog(database).now, maxOpenCells).compute(1);
    const byHour = (a: { bucket: number; measure?: number }, b: { bucket: number; measure?: number }) =>
      a.bucket - b.bucket || (a.measure ?? 0) - (b.measure ?? 0);
    return writes && { ...writes, blocks: [...writes.blocks].sort(byHour), buckets: [...writes.buckets].sort(byHour) };
  };
  const atOnce = writesWith(1_000_000);
  expect(atOnce?.buckets).toHaveLength(24);
  for (const maxOpenCells of [1, 5, 20]) expect(writesWith(maxOpenCells)).toEqual(atOnce);
});
