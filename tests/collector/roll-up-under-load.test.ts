import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { openDatabase } from '../../collector/storage/sqlite/open-database.ts';
import { createMaintenance } from '../../collector/storage/sqlite/sqlite-maintenance.ts';
import { inlineStoreRunner, type StoreRunner } from '../../collector/storage/sqlite/store-thread.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { BELIEVED } from './believed-clock.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('rolling up ends with what was there, though samples keep coming', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  const place = { file: join(folder, 'lastbyte.sqlite'), maxBytes: null };
  const database = openDatabase(place);
  const [reader, writer] = [inlineStoreRunner(place, 'reader'), inlineStoreRunner(place, 'writer')];
  onTestFinished(async () => {
    await Promise.all([reader.close(), writer.close()]);
    database.close();
    await store.close();
  });
  const some = [{ ...PLAIN_SAMPLE, at: NOW }];
  let steps = 0;
  const jobs: StoreRunner<'reader'> = {
    async run(name, input) {
      const output = await reader.run(name, input);
      // Or it would go on for ever where it goes wrong, and no timer would have its turn.
      if (++steps > 10) throw new Error('it does not end');
      await fill(store, some);
      return output;
    },
    close: async () => {},
  };
  await fill(store, some);
  await createMaintenance(database, { jobs, writer }, { clock: () => NOW, watch: BELIEVED }).rollUp();
  expect(steps).toBe(1);
  const range = { from: NOW - 1, to: NOW + 1 };
  expect((await store.samples.aggregate({ range, filters: {}, by: [] })).samples).toBe(2);
});
