import { expect, test } from 'vitest';
import { createKeptColumns } from '../../../collector/storage/sqlite/sqlite-ranges.ts';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';

/** Chunks of which each is read under its own id; `read` lists those that were. */
function chunksOf(maxRows: number, n = 40) {
  const kept = createKeptColumns<number, SampleColumns>(maxRows);
  const read: number[] = [];
  const take = (id: number, rows = n) =>
    kept.take(id, () => {
      read.push(id);
      return { n: rows } as SampleColumns;
    });
  return { kept, read, take };
}

test('a chunk is read once as long as its rows have room; the one asked for longest ago goes first', () => {
  const { read, take } = chunksOf(100);
  const [first] = [take(1), take(2)];
  expect(take(1)).toBe(first);
  take(3);
  expect(read).toEqual([1, 2, 3]);
  take(1);
  expect(read).toEqual([1, 2, 3]);
  take(2);
  expect(read).toEqual([1, 2, 3, 2]);
});

test('a chunk that has no room by itself pushes nobody out, and one that is not there stays away', () => {
  const { kept, read, take } = chunksOf(100);
  take(1);
  take(2, 101);
  take(2, 101);
  take(1);
  expect(read).toEqual([1, 2, 2]);
  expect(kept.take(9, () => null)).toBeNull();
});

test('what was read before samples were erased or pruned is not kept', () => {
  const { kept, read, take } = chunksOf(100);
  kept.seenAt(4);
  take(1);
  kept.seenAt(4);
  take(1);
  kept.seenAt(5);
  // The room is free again: both fit.
  for (const id of [1, 2, 1, 2]) take(id);
  expect(read).toEqual([1, 1, 2]);
});
