import { expect, test } from 'vitest';
import { BacklogFull, createGroupCommit } from '../../../collector/ingest/group-commit.ts';
import type { AcceptedBatch, SampleStore } from '../../../collector/store/store.ts';
import { batchColumnsOf } from '../../../shared/wire/batch-samples.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

function batch(id: string, rows = 1): AcceptedBatch {
  const samples = Array.from({ length: rows }, () => PLAIN_SAMPLE);
  return { id, receivedAt: NOW, clockCorrection: 0, origin: ORIGIN, columns: batchColumnsOf(samples) };
}

/** Remembers each group; commits when told to, if `hold`. */
function fakeStore({ hold = false } = {}) {
  const groups: string[][] = [];
  const releases: (() => void)[] = [];
  const append: SampleStore['append'] = async (batches) => {
    groups.push(batches.map(({ id }) => id));
    if (hold) await new Promise<void>((resolve) => releases.push(resolve));
    return batches.map(({ id }) => ({ id, duplicate: id === 'again' }));
  };
  return { groups, releases, store: { append } as SampleStore };
}

test('what arrives in one turn is one commit, and each gets its own answer', async () => {
  const { groups, store } = fakeStore();
  const commit = createGroupCommit(store);
  const outcomes = await Promise.all(['a', 'again', 'c'].map((id) => commit.add(batch(id))));
  expect(outcomes.map(({ id, duplicate }) => [id, duplicate])).toEqual([
    ['a', false],
    ['again', true],
    ['c', false],
  ]);
  await commit.add(batch('d'));
  expect(groups).toEqual([['a', 'again', 'c'], ['d']]);
});

test('nothing is answered before its commit, and what comes meanwhile is the next group', async () => {
  const { groups, releases, store } = fakeStore({ hold: true });
  const commit = createGroupCommit(store);
  const answered: string[] = [];
  const first = commit.add(batch('a')).then(() => answered.push('a'));
  await turn();
  const rest = ['b', 'c'].map((id) => commit.add(batch(id)).then(() => answered.push(id)));
  await turn();
  expect([groups, answered]).toEqual([[['a']], []]);
  releases[0]?.();
  await first;
  expect(answered).toEqual(['a']);
  await turn();
  expect(groups).toEqual([['a'], ['b', 'c']]);
  releases[1]?.();
  await Promise.all(rest);
});

test('a failed commit fails its own group only', async () => {
  let calls = 0;
  const append: SampleStore['append'] = async (batches) => {
    calls += 1;
    if (calls === 1) throw new Error('disk');
    return batches.map(({ id }) => ({ id, duplicate: false }));
  };
  const commit = createGroupCommit({ append } as SampleStore);
  await expect(Promise.all([commit.add(batch('a')), commit.add(batch('b'))])).rejects.toThrow('disk');
  await expect(commit.add(batch('c'))).resolves.toMatchObject({ id: 'c' });
});

test('the backlog is bounded in samples, and free again after the commit', async () => {
  const { releases, store } = fakeStore({ hold: true });
  const commit = createGroupCommit(store, 10);
  const first = commit.add(batch('a', 5));
  await expect(commit.add(batch('b', 5))).rejects.toBeInstanceOf(BacklogFull);
  await turn();
  releases[0]?.();
  await first;
  await turn();
  const second = commit.add(batch('c', 9));
  await turn();
  releases[1]?.();
  await expect(second).resolves.toMatchObject({ id: 'c' });
});

test('draining waits for everything added', async () => {
  const { groups, store } = fakeStore();
  const commit = createGroupCommit(store);
  const answers = ['a', 'b'].map((id) => commit.add(batch(id)));
  await commit.drain();
  expect(groups.flat()).toEqual(['a', 'b']);
  await Promise.all(answers);
});

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
