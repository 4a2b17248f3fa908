import { expect, test } from 'vitest';
import type { BatchBody } from '../../../collector/ingest/body-group.ts';
import { createGroupCommit } from '../../../collector/ingest/group-commit.ts';
import type { BodyOutcome, IngestBodies } from '../../../collector/ingest/ingest-bodies.ts';

/** The commit sees only bytes: here the body's name, padded to a size. */
function body(name: string, length = name.length): BatchBody {
  return { bytes: Buffer.from(name.padEnd(length)), receivedAt: 0, key: 'key-1' };
}

const nameOf = ({ bytes }: BatchBody) => Buffer.from(bytes).toString().trim();
const outcomeOf = (name: string): BodyOutcome =>
  name === 'bad'
    ? { ok: false, code: 'invalid_batch', message: 'no batch', hint: 'Send one.' }
    : {
        ok: true,
        answer: { batch: name, duplicate: name === 'again', accepted: 1, rejected: [] },
        folded: 0,
        coarsened: 0,
        droppedMetrics: 0,
        storedBytes: 0,
      };

/** Records each group; with `hold`, commits on demand. */
function fakeStore({ hold = false } = {}) {
  const groups: string[][] = [];
  const releases: (() => void)[] = [];
  const ingest: IngestBodies = async (bodies) => {
    groups.push(bodies.map(nameOf));
    if (hold) await new Promise<void>((resolve) => releases.push(resolve));
    return bodies.map((one) => outcomeOf(nameOf(one)));
  };
  return { groups, releases, ingest };
}

test('bodies of one iteration of the event loop are one commit, with an answer each', async () => {
  const { groups, ingest } = fakeStore();
  const commit = createGroupCommit(ingest);
  const names = ['a', 'again', 'bad', 'c'];
  expect(await Promise.all(names.map((name) => commit.add(body(name))))).toEqual(names.map(outcomeOf));
  await commit.add(body('d'));
  expect(groups).toEqual([['a', 'again', 'bad', 'c'], ['d']]);
});

test('nothing is answered before its commit, and bodies that arrive during it form the next', async () => {
  const { groups, releases, ingest } = fakeStore({ hold: true });
  const commit = createGroupCommit(ingest);
  const answered: string[] = [];
  const add = (name: string) => commit.add(body(name)).then(() => answered.push(name));
  const all: Promise<unknown>[] = [];
  for (const name of ['a', 'b', 'c']) {
    all.push(add(name));
    await turn();
  }
  expect([groups, answered]).toEqual([[['a']], []]);
  releases[0]?.();
  await all[0];
  expect(answered).toEqual(['a']);
  await turn();
  expect(groups).toEqual([['a'], ['b', 'c']]);
  releases[1]?.();
  await Promise.all(all);
  expect(answered).toEqual(['a', 'b', 'c']);
});

test('enough bodies for a commit don’t wait for the previous one, and no third is under way', async () => {
  const { groups, releases, ingest } = fakeStore({ hold: true });
  const commit = createGroupCommit(ingest);
  const names = Array.from({ length: 100 }, (_, place) => `${place}`);
  const all = [commit.add(body('first'))];
  await turn();
  for (const name of names.slice(0, 31)) all.push(commit.add(body(name)));
  await turn();
  expect(groups).toEqual([['first']]);
  for (const name of names.slice(31)) all.push(commit.add(body(name)));
  await turn();
  expect(groups).toEqual([['first'], names.slice(0, 32)]);
  releases[1]?.();
  await turn();
  expect(groups).toEqual([['first'], names.slice(0, 32), names.slice(32)]);
  releases[0]?.();
  releases[2]?.();
  await Promise.all(all);
});

test('a large iteration begins to commit before it ends', async () => {
  const { groups, ingest } = fakeStore();
  const commit = createGroupCommit(ingest);
  const names = Array.from({ length: 80 }, (_, place) => `${place}`);
  await Promise.all(names.map((name) => commit.add(body(name))));
  expect(groups).toEqual([names.slice(0, 32), names.slice(32, 64), names.slice(64)]);
});

test('large bodies are committed one at a time, alternating with the others, which wait for at most one of them', async () => {
  const { groups, releases, ingest } = fakeStore({ hold: true });
  const commit = createGroupCommit(ingest);
  const KIB = 1024;
  const all = ['big 1', 'big 2', 'big 3'].map((name) => commit.add(body(name, 300 * KIB)));
  await turn();
  for (const name of ['a', 'b']) all.push(commit.add(body(name)));
  for (const name of ['half 1', 'half 2', 'half 3']) all.push(commit.add(body(name, 100 * KIB)));
  for (let place = 0; place < 6; place++) {
    await turn();
    releases[place]?.();
  }
  await Promise.all(all);
  expect(groups).toEqual([['big 1'], ['a', 'b'], ['big 2'], ['big 3'], ['half 1', 'half 2'], ['half 3']]);
});

test('small bodies are stored in groups of a bounded size', async () => {
  const { groups, ingest } = fakeStore();
  const commit = createGroupCommit(ingest);
  const names = Array.from({ length: 12 }, (_, place) => `${place}`);
  await Promise.all(names.map((name) => commit.add(body(name, 60 * 1024))));
  expect(groups).toEqual([names.slice(0, 4), names.slice(4, 8), names.slice(8)]);
});

test('a failed commit fails its own group only', async () => {
  let calls = 0;
  const ingest: IngestBodies = async (bodies) => {
    calls += 1;
    if (calls === 1) throw new Error('disk');
    return bodies.map((one) => outcomeOf(nameOf(one)));
  };
  const commit = createGroupCommit(ingest);
  await expect(Promise.all([commit.add(body('a')), commit.add(body('b'))])).rejects.toThrow('disk');
  await expect(commit.add(body('c'))).resolves.toEqual(outcomeOf('c'));
});

test('draining waits for everything added', async () => {
  const { groups, ingest } = fakeStore();
  const commit = createGroupCommit(ingest);
  const answers = ['a', 'b'].map((id) => commit.add(body(id)));
  await commit.drain();
  expect(groups.flat()).toEqual(['a', 'b']);
  await Promise.all(answers);
});

test('draining waits for groups that are not under way yet', async () => {
  const { groups, releases, ingest } = fakeStore({ hold: true });
  const commit = createGroupCommit(ingest);
  const answers: Promise<unknown>[] = [];
  for (const id of ['a', 'b', 'c']) {
    answers.push(commit.add(body(id)));
    await turn();
  }
  let drained = false;
  const draining = commit.drain().then(() => {
    drained = true;
  });
  for (const place of [0, 1]) {
    expect(drained).toBe(false);
    releases[place]?.();
    await turn();
  }
  await draining;
  expect(groups).toEqual([['a'], ['b', 'c']]);
  await Promise.all(answers);
});

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
