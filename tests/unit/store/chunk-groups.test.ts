import { expect, test } from 'vitest';
import { type ChunkSpan, fillStep, groupChunks, takeFirst } from '../../../collector/storage/sqlite/chunk-groups.ts';

const MIB = 2 ** 20;

function chunks(count: number, n: number, bytes: number): ChunkSpan[] {
  return Array.from({ length: count }, (_, id) => ({ id, t0: 0, t1: 0, n, bytes }));
}

const lengths = (groups: readonly (readonly ChunkSpan[])[]) => groups.map(({ length }) => length);

test('a step and its groups end with so many samples', () => {
  const many = chunks(700, 2_000, 200_000);
  expect(takeFirst(many)).toHaveLength(500);
  expect(lengths(groupChunks(many))).toEqual([...Array.from({ length: 9 }, () => 75), 25]);
  expect([fillStep(many), fillStep(takeFirst(many)), fillStep(many.slice(0, 499))]).toEqual([true, true, false]);
});

test('a step and its groups end with so many bytes, however few samples these hold', () => {
  const many = chunks(700, 1, MIB);
  expect(takeFirst(many)).toHaveLength(128);
  expect(lengths(groupChunks(many.slice(0, 50)))).toEqual([24, 24, 2]);
  expect([fillStep(takeFirst(many)), fillStep(many.slice(0, 127))]).toEqual([true, false]);
});

test('a chunk beyond any limit is still taken, and where there is none there is no group', () => {
  const [large] = chunks(1, 1, 1024 * MIB);
  expect(takeFirst([large as ChunkSpan, ...chunks(2, 1, 1)])).toEqual([large]);
  expect([takeFirst([]), groupChunks([])]).toEqual([[], []]);
});
