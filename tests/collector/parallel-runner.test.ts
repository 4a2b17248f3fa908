import { expect, test } from 'vitest';
import { createInlineRunner, createWorkerPool, type JobRunner } from '../../collector/lib/worker-pool.ts';
import { MAX_WAITING_PER_TOKEN, QUEUE } from '../../collector/storage/sqlite/open-sqlite-store.ts';
import type { RequestOptions } from '../../collector/storage/store.ts';

interface Lane {
  read(job: string): string;
}

interface Begun {
  readonly lane: number;
  readonly job: string;
  end(output: string): void;
  fail(error: Error): void;
}

/** Two lanes whose jobs end when the test says so. */
function twoLanes() {
  const begun: Begun[] = [];
  const closed: number[] = [];
  const lane = (number: number): JobRunner<Lane> => ({
    run: (_name, input) =>
      new Promise<never>((resolve, reject) => {
        begun.push({
          lane: number,
          job: input[0] as string,
          end: (output) => resolve(output as never),
          fail: reject,
        });
      }),
    async close() {
      closed.push(number);
    },
  });
  const runner = createWorkerPool<Lane>([lane(0), lane(1)], QUEUE);
  const run = (job: string, watch?: RequestOptions): Promise<unknown> => runner.run('read', [job], watch);
  /** What was begun once nothing is left to do but to wait. */
  const working = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return begun.map(({ job }) => job);
  };
  const job = (name: string) => begun.find((one) => one.job === name) as Begun;
  return { runner, run, working, job, closed };
}

test('two jobs are at work at once, and the next begins where one ends, first come first served', async () => {
  const { run, working, job } = twoLanes();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => run(name));
  expect(await working()).toEqual(['a', 'b']);
  expect(job('a').lane).not.toBe(job('b').lane);
  job('b').end('of b');
  expect(await b).toBe('of b');
  expect(await working()).toEqual(['a', 'b', 'c']);
  expect(job('c').lane).toBe(job('b').lane);
  // A job that fails makes room like any other.
  job('a').fail(new Error('no room'));
  await expect(a).rejects.toThrow('no room');
  expect(await working()).toEqual(['a', 'b', 'c', 'd']);
  job('c').end('of c');
  job('d').end('of d');
  expect(await Promise.all([c, d])).toEqual(['of c', 'of d']);
});

test('who leaves the line is never begun, and those behind move up', async () => {
  const { run, working, job } = twoLanes();
  const [a, b] = [run('a'), run('b')];
  const leaving = new AbortController();
  const left = run('left', leaving);
  const behind = run('behind');
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(run('too late', leaving)).rejects.toThrow('gone');
  job('a').end('of a');
  expect(await a).toBe('of a');
  expect(await working()).toEqual(['a', 'b', 'behind']);
  job('b').end('of b');
  job('behind').end('of behind');
  expect(await Promise.all([b, behind])).toEqual(['of b', 'of behind']);
});

test('closing ends the lanes, and what waits is told so instead of being begun', async () => {
  const { runner, run, working, closed } = twoLanes();
  void run('a');
  void run('b');
  const waiting = run('c');
  await working();
  const refused = expect(waiting).rejects.toMatchObject({ code: 'store_failed', message: 'the store was closed' });
  await runner.close();
  await refused;
  expect(closed.sort()).toEqual([0, 1]);
  expect(await working()).toEqual(['a', 'b']);
});

test('a token has one lane at most: a hundred questions of one never keep those of another waiting', async () => {
  const { run, working, job } = twoLanes();
  const many = Array.from({ length: 40 }, (_, i) => run(`many ${i}`, { token: 'many' }));
  expect(await working()).toEqual(['many 0']);
  const few = ['few 0', 'few 1'].map((name) => run(name, { token: 'few' }));
  const own = run('own');
  expect(await working()).toEqual(['many 0', 'few 0']);
  job('few 0').end('of few 0');
  // The token that is at work is passed over.
  expect((await working()).slice(2)).toEqual(['few 1']);
  job('few 1').end('of few 1');
  expect((await working()).slice(3)).toEqual(['own']);
  job('many 0').end('of many 0');
  expect((await working()).slice(4)).toEqual(['many 1']);
  job('own').end('of own');
  expect((await working()).slice(5)).toEqual([]);
  expect(await Promise.all([...few, own])).toEqual(['of few 0', 'of few 1', 'of own']);
  for (let next = 1; next < many.length; next++) {
    await working();
    job(`many ${next}`).end('done');
  }
  await Promise.all(many);
});

test('a token has only so many questions waiting; others and the collector itself still may ask', async () => {
  const { run, working } = twoLanes();
  for (let i = 0; i < MAX_WAITING_PER_TOKEN + 1; i++) void run(`many ${i}`, { token: 'many' });
  void run('somebody’s', { token: 'somebody' });
  await working();
  await expect(run('one more', { token: 'many' })).rejects.toMatchObject({ code: 'store_busy' });
  const leaving = new AbortController();
  const others = [run('other', { token: 'other', signal: leaving.signal }), run('own', leaving)];
  leaving.abort(new Error('gone'));
  for (const other of others) await expect(other).rejects.toThrow('gone');
});

test('in the calling thread a job begins when the one before has ended, even if that failed, and closing waits', async () => {
  const log: string[] = [];
  const runner = createInlineRunner(
    ({ progress }) => ({
      async read(job: string) {
        log.push(`${job} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        progress(1);
        log.push(`${job} ends`);
        if (job === 'a') throw new Error('no room');
        return `of ${job}`;
      },
      close: () => void log.push('closed'),
    }),
    (error) => error,
  );
  const run = (job: string) => runner.run('read', [job], { progress: () => log.push(`${job} is told`) });
  const answers = Promise.allSettled([run('a'), run('b')]);
  await runner.close();
  expect(log).toEqual(['a begins', 'a is told', 'a ends', 'b begins', 'b is told', 'b ends', 'closed']);
  expect(await answers).toMatchObject([{ reason: { message: 'no room' } }, { value: 'of b' }]);
});
