import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import type { ReadingSource } from '../../collector/storage/passes/reading-source.ts';
import { openReaderJobs } from '../../collector/storage/sqlite/reader-jobs.ts';
import { threadStoreRunner } from '../../collector/storage/sqlite/store-thread.ts';
import type { RequestOptions } from '../../collector/storage/store.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { fill } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Stands in for store-thread.ts: jobs say by their input what becomes of the thread. */
const THREAD = `
import { parentPort, workerData } from 'node:worker_threads';
const flags = new Int32Array(workerData.cancelled);
parentPort.on('message', ({ id, input: [wish] }) => {
  if (wish === 'exit') process.exit(1);
  if (wish === 'silent') return;
  if (wish === 'deaf') {
    while (!flags.includes(id)) Atomics.wait(flags, 0, Atomics.load(flags, 0), 1);
    for (const kept = []; ; ) kept.push(new Array(1000).fill(0.5));
  }
  if (wish === 'grow') for (const kept = []; ; ) kept.push(new Array(1000).fill(0.5));
  if (wish === 'throw') throw new Error('out of memory, say');
  if (wish === 'told') for (const part of [0.25, 0.75]) parentPort.postMessage({ id, part });
  if (wish === 'endless') {
    while (!flags.includes(id)) Atomics.wait(flags, 0, Atomics.load(flags, 0), 1);
    parentPort.postMessage({ id, cancelled: true });
  } else parentPort.postMessage({ id, output: wish });
});
`;

async function threadRunner(): Promise<(wish: unknown, watch?: RequestOptions) => Promise<unknown>> {
  const script = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(script, THREAD);
  const runner = threadStoreRunner(pathToFileURL(script), { file: 'unused.sqlite', maxBytes: null }, 'reader', {
    heapMb: () => 32,
  });
  onTestFinished(() => runner.close());
  return (wish, watch) => runner.run('aggregate', [wish as never], watch);
}

test.each(['exit', 'throw'])(
  'a store thread that dies (%s) fails its jobs, and the next job has a new one',
  async (end) => {
    const run = await threadRunner();
    expect(await run('a job')).toBe('a job');
    const lost = [run(end), run('behind it')];
    for (const job of lost) {
      await expect(job).rejects.toMatchObject({ code: 'store_failed', message: 'a thread of the store ended' });
    }
    expect(await run('the next')).toBe('the next');
  },
);

test('a job that outgrows the heap of its thread is told so; those behind it and the next one are not', async () => {
  const run = await threadRunner();
  const [large, behind] = [run('grow'), run('behind it')];
  await expect(large).rejects.toMatchObject({ code: 'answer_too_large' });
  await expect(behind).rejects.toMatchObject({ code: 'store_failed' });
  expect(await run('the next')).toBe('the next');
});

test('a job that cannot be sent fails alone, and each of the others has its own answer', async () => {
  const run = await threadRunner();
  const jobs = [run('before'), run(() => 1), run('behind it'), run('the last')];
  expect(
    (await Promise.allSettled(jobs)).map((job) => (job.status === 'fulfilled' ? job.value : job.reason.name)),
  ).toEqual(['before', 'DataCloneError', 'behind it', 'the last']);
});

test('a job without an answer ends the thread before anybody has the answer of another', async () => {
  const run = await threadRunner();
  const jobs = [run('before'), run('silent'), run('behind it'), run('the last')];
  const ended = 'a thread of the store ended';
  expect(
    (await Promise.allSettled(jobs)).map((job) => (job.status === 'fulfilled' ? job.value : job.reason.message)),
  ).toEqual(['before', ended, ended, ended]);
  expect(await run('the next')).toBe('the next');
});

test('a job that is given up between the two signs of a death is not lost with the dead thread', async () => {
  const run = await threadRunner();
  // A thread that throws ends with `error` first and `exit` later; the new job is given in between.
  const next = run('throw').catch(() => run('the next'));
  expect(await next).toBe('the next');
});

test('who asked goes away: the job ends in its thread too, and the next one is answered', async () => {
  const run = await threadRunner();
  const asking = new AbortController();
  const endless = run('endless', asking);
  const behind = run('behind it');
  asking.abort(new Error('gone'));
  await expect(endless).rejects.toThrow('gone');
  expect(await behind).toBe('behind it');
  await expect(run('too late', asking)).rejects.toThrow('gone');
});

test('a job that is given up holds its thread until it has ended there, so that no other job dies with it', async () => {
  const run = await threadRunner();
  const asking = new AbortController();
  // Grows on after it was given up, until the thread dies of it.
  const deaf = run('deaf', asking);
  asking.abort(new Error('gone'));
  await expect(deaf).rejects.toThrow('gone');
  expect(await run('the next')).toBe('the next');
});

test('who waits is told how far the job is, and nobody else', async () => {
  const run = await threadRunner();
  const parts: number[] = [];
  const others: number[] = [];
  const told = run('told', { progress: (part) => void parts.push(part) });
  const behind = run('told', { progress: (part) => void others.push(part) });
  expect(await told).toBe('told');
  expect([parts, others]).toEqual([[0.25, 0.75], []]);
  expect(await behind).toBe('told');
  expect([parts, others]).toEqual([
    [0.25, 0.75],
    [0.25, 0.75],
  ]);
});

test('a query that reads samples looks often whether anybody still waits for it', async () => {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command' });
  const chunks = 5;
  for (let i = 0; i < chunks; i++) await fill(store, [PLAIN_SAMPLE]);
  await store.close();
  class GivenUp extends Error {}
  let looks = 0;
  let patience = Infinity;
  const jobs = openReaderJobs(
    { file: join(folder, 'lastbyte.sqlite'), maxBytes: null },
    {
      checkpoint() {
        if (++looks > patience) throw new GivenUp();
      },
      progress() {},
    },
  );
  onTestFinished(() => jobs.close());
  const query = { range: { from: 0, to: NOW * 2 }, filters: {}, by: ['host'] as const, exact: true };
  expect((await jobs.aggregate(query)).samples).toBe(chunks);
  expect(looks).toBeGreaterThanOrEqual(chunks);
  looks = 0;
  patience = chunks - 1;
  await expect(jobs.aggregate(query)).rejects.toThrow(GivenUp);
  // And nothing is left behind that the next query could trip over.
  patience = Infinity;
  expect((await jobs.aggregate(query)).samples).toBe(chunks);
});

test('a reading that waits sees one snapshot from beginning to end', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command' });
  onTestFinished(() => store.close());
  await fill(store, [PLAIN_SAMPLE]);
  const samplesIn = async (source: ReadingSource) => {
    const opened = await source.open({ from: 0, to: NOW * 2 }, 'sketches');
    return (await opened.stored()).samples;
  };
  const read = <A>(work: (source: ReadingSource) => Promise<A>) =>
    store.samples.read({ name: 'waits', takesLong: () => false, read: work }, null);
  const seen = await read(async (source) => {
    const before = await samplesIn(source);
    await fill(store, [PLAIN_SAMPLE]);
    return [before, await samplesIn(source)];
  });
  expect(seen).toEqual([1, 1]);
  expect(await read(samplesIn)).toBe(2);
});
