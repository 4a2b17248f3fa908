import { expect, test } from 'vitest';
import { FairQueue } from '../../../collector/lib/fair-queue.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Jobs that end on demand. */
function heldJobs() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const job = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  return { started, ends, job };
}

test('round-robin between networks: many jobs of one don’t delay the first of another', async () => {
  const queue = new FairQueue<number>(1);
  const { started, ends, job } = heldJobs();
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run(1, job(name)));
  all.push(queue.run(2, job('b1')), queue.run(2, job('b2')));
  for (let i = 0; i < all.length; i++) {
    await turn();
    ends[i]?.();
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('the waiting jobs of a network are counted; a failed job makes way for the next', async () => {
  const queue = new FairQueue<number>(1);
  const failing = () => turn().then(() => Promise.reject(new Error('failed')));
  const running = [queue.run(1, failing), queue.run(1, failing), queue.run(1, failing)];
  expect(queue.waitingOf(1)).toBe(2);
  const other = queue.run(2, async () => 'done');
  expect(await Promise.allSettled(running)).toEqual(Array(3).fill(expect.objectContaining({ status: 'rejected' })));
  expect(await other).toBe('done');
  expect(await queue.run(1, async () => 'again')).toBe('again');
});
