import { expect, test } from 'vitest';
import { AdmissionControl } from '../../../collector/ingest/admission/admission.ts';
import { createClientQuotas, type NetworkQuota } from '../../../collector/ingest/admission/client-quotas.ts';
import { FairQueue } from '../../../collector/lib/fair-queue.ts';

const control = () => new AdmissionControl(createClientQuotas(), () => 0);
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
  const queue = new FairQueue<NetworkQuota>(1);
  const { started, ends, job } = heldJobs();
  const from = control();
  const [one, two] = [from.admitOther('key', '10.0.0.1'), from.admitOther('key', '10.0.0.2')];
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => one.enqueue(queue, 10, job(name)));
  all.push(two.enqueue(queue, 10, job('b1')), two.enqueue(queue, 10, job('b2')));
  for (let i = 0; i < all.length; i++) {
    await turn();
    ends[i]?.();
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('the waiting jobs of a network are limited; a failed job makes way for the next', async () => {
  const queue = new FairQueue<NetworkQuota>(1);
  const from = control();
  const [one, two] = [from.admitOther('key', '10.0.0.1'), from.admitOther('key', '10.0.0.2')];
  const failing = () => turn().then(() => Promise.reject(new Error('failed')));
  const running = [one.enqueue(queue, 2, failing), one.enqueue(queue, 2, failing), one.enqueue(queue, 2, failing)];
  expect(() => one.enqueue(queue, 2, failing)).toThrow(expect.objectContaining({ reason: 'busy' }));
  const other = two.enqueue(queue, 2, async () => 'done');
  expect(await Promise.allSettled(running)).toEqual(Array(3).fill(expect.objectContaining({ status: 'rejected' })));
  expect(await other).toBe('done');
  expect(await one.enqueue(queue, 2, async () => 'again')).toBe('again');
});
