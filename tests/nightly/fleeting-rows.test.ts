import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { openReaderJobs } from '../../collector/storage/sqlite/reader-jobs.ts';
import { browserId, fill } from '../collector/fill-store.ts';
import { fineQuestions } from '../collector/fine-questions.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { arbitrarySample, NOW } from '../unit/wire/arbitrary-sample.ts';

const DAY = 24 * 3_600_000;
/** Chunks of several sizes, so that what one leaves behind in an array would show in the next. */
const CHUNKS = [120, 40, 200, 7, 150, 1];

test('chunks that are decoded into the same arrays, one after the other, answer as those that are kept', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  const samples = fc.sample(arbitrarySample, { numRuns: CHUNKS.reduce((a, b) => a + b), seed: 23 });
  for (const [i, size] of CHUNKS.entries()) await fill(store, samples.splice(0, size), { client: browserId(i) });
  await store.close();
  const nobody = { checkpoint() {}, progress() {} };
  const kept = openReaderJobs({ file: join(folder, 'lastbyte.sqlite'), maxBytes: null }, nobody);
  const fleeting = openReaderJobs({ file: join(folder, 'lastbyte.sqlite'), maxBytes: null }, nobody, 0);
  onTestFinished(() => {
    kept.close();
    fleeting.close();
  });
  const ranges = [
    { from: NOW - 8 * DAY, to: NOW + 1 },
    { from: NOW - 5 * DAY + 12_345, to: NOW - DAY },
  ];
  for (const range of ranges) {
    for (const filters of [{}, { scheme: ['https'] }, { browser: ['chromium'] }]) {
      for (const minGroupSize of [0, 3]) {
        for (const [reading, question] of fineQuestions(range, filters)) {
          const asked = { ...question, minGroupSize } as never;
          expect(await fleeting.read(reading as never, asked), `${reading.name} ${JSON.stringify(asked)}`).toEqual(
            await kept.read(reading as never, asked),
          );
        }
      }
    }
  }
});
