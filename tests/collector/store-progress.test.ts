import { expect, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { fineQuestions } from './fine-questions.ts';
import { temporaryFolder } from './temporary-folder.ts';

const CHUNKS = 7;
const HOUR = 3_600_000;
const range = { from: NOW - 24 * HOUR, to: NOW };
/** What only samples know: no question can be answered from rollups with it. */
const filters = { template: [PLAIN_SAMPLE.template] };

test('every question tells which part of its samples it has read, from the first chunk to the last', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  for (let i = 0; i < CHUNKS; i++) {
    const sample = { ...PLAIN_SAMPLE, at: NOW - (i + 1) * HOUR };
    await fill(store, Array(10).fill(sample), { client: browserId(i) });
  }
  for (const [reading, question] of fineQuestions(range, filters)) {
    for (const minGroupSize of [0, 5, CHUNKS + 1]) {
      const parts: number[] = [];
      const watch = { progress: (part: number) => void parts.push(part) };
      await store.samples.read(reading, { ...question, minGroupSize } as never, watch);
      const about = `${reading.name} ${JSON.stringify(question)} ${minGroupSize}`;
      expect(parts.length % CHUNKS, about).toBe(0);
      expect(parts[0], about).toBeLessThanOrEqual(1 / CHUNKS);
      expect(parts, about).toEqual([...new Set(parts)].sort((a, b) => a - b));
      expect(parts.at(-1), about).toBe(1);
    }
  }
  await store.close();
});
