import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { openReaderJobs } from '../../collector/storage/sqlite/reader-jobs.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** More than are answered from the samples themselves. */
const CHUNKS = 104;
const CHUNK_SAMPLES = 500;
const SAMPLES = CHUNKS * CHUNK_SAMPLES;
/** In the middle of an hour. */
const END = NOW + 20 * MINUTE;

function chunkAt(at: number, n: number) {
  return Array<typeof PLAIN_SAMPLE>(n).fill({ ...PLAIN_SAMPLE, at });
}

async function filledStore() {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command', clock: () => END });
  onTestFinished(() => store.close());
  for (let i = 0; i < CHUNKS; i++) await fill(store, chunkAt(END - (i + 1) * 1000, CHUNK_SAMPLES));
  await store.maintenance.rollUp();
  let looks = 0;
  const jobs = openReaderJobs(
    { file: join(folder, 'lastbyte.sqlite'), maxBytes: null },
    { checkpoint: () => looks++, progress() {} },
  );
  onTestFinished(() => jobs.close());
  /** How many samples a range has, and how often somebody looked up from chunks and rollups for it. */
  const count = async (from: number, to: number, open = false) => {
    looks = 0;
    const { samples, cells } = await jobs.aggregate({ range: { from, to, open }, filters: {}, by: [], exact: false });
    const counted = new Map(cells[0]?.counters).get('samples') ?? 0;
    return { samples, counted, chunks: looks };
  };
  return { store, count };
}

test('a question that ends now takes the hour it ends in from its rollup', async () => {
  const { store, count } = await filledStore();
  const fromRollup = (samples: number) => ({
    samples,
    counted: samples,
    chunks: expect.toSatisfy((n) => n < CHUNKS / 2),
  });
  expect(await count(END - DAY, END)).toEqual(fromRollup(SAMPLES));
  // What has come since is later than the question, and in no rollup yet.
  await fill(store, chunkAt(END + MINUTE, 10));
  expect(await count(END - DAY, END)).toEqual(fromRollup(SAMPLES));
  await fill(store, chunkAt(END - 1, 10));
  expect(await count(END - DAY, END)).toEqual(fromRollup(SAMPLES + 10));
  // Once the rollup holds what is later, the samples have to be read.
  await store.maintenance.rollUp();
  const read = await count(END - DAY, END);
  expect(read).toMatchObject({ samples: SAMPLES + 10, counted: SAMPLES + 10 });
  expect(read.chunks).toBeGreaterThanOrEqual(CHUNKS);
  expect(await count(END - DAY, END + 2 * MINUTE)).toEqual(fromRollup(SAMPLES + 20));
  // Unless nobody named an end: then what came while the question waited belongs to the answer, rolled up or not.
  expect(await count(END - DAY, END, true)).toEqual(fromRollup(SAMPLES + 20));
  await fill(store, chunkAt(END + MINUTE, 10));
  expect(await count(END - DAY, END, true)).toEqual(fromRollup(SAMPLES + 30));
});

test('an hour whose samples were removed is not taken for one that ended early', async () => {
  const { store, count } = await filledStore();
  await fill(store, chunkAt(END + DAY, CHUNK_SAMPLES));
  await store.maintenance.rollUp();
  await store.maintenance.prune(END + 40 * DAY, { sampleDays: 30, hourDays: 90, dayDays: 731, monthDays: null });
  await expect(count(END - DAY, END - 5000)).rejects.toThrow('samples');
});
