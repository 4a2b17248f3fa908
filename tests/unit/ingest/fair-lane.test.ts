import { expect, test } from 'vitest';
import { createClientAccounts } from '../../../collector/ingest/client-accounts.ts';
import { createFairLane } from '../../../collector/ingest/fair-lane.ts';
import { IntakeGate } from '../../../collector/ingest/intake.ts';

const gate = () => new IntakeGate(createClientAccounts(), () => 0);
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Jobs that end when told to. */
function heldJobs() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const job = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  return { started, ends, job };
}

test('clients take turns: many jobs of one do not stand before the first of another', async () => {
  const lane = createFairLane({ concurrency: 1, waitingPerClient: 10 });
  const { started, ends, job } = heldJobs();
  const from = gate();
  const [one, two] = [from.admitOther('key', '10.0.0.1'), from.admitOther('key', '10.0.0.2')];
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => lane.run(one, job(name)));
  all.push(lane.run(two, job('b1')), lane.run(two, job('b2')));
  for (let i = 0; i < all.length; i++) {
    await turn();
    ends[i]?.();
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('a client has so many waiting and no more; a job that fails makes room for the next', async () => {
  const lane = createFairLane({ concurrency: 1, waitingPerClient: 2 });
  const from = gate();
  const [one, two] = [from.admitOther('key', '10.0.0.1'), from.admitOther('key', '10.0.0.2')];
  const failing = () => turn().then(() => Promise.reject(new Error('failed')));
  const running = [lane.run(one, failing), lane.run(one, failing), lane.run(one, failing)];
  await expect(lane.run(one, failing)).rejects.toMatchObject({ reason: 'busy' });
  const other = lane.run(two, async () => 'done');
  expect(await Promise.allSettled(running)).toEqual(Array(3).fill(expect.objectContaining({ status: 'rejected' })));
  expect(await other).toBe('done');
  expect(await lane.run(one, async () => 'again')).toBe('again');
});
