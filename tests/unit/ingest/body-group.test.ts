import { expect, test } from 'vitest';
import { type BodyGroup, createBodyPool } from '../../../collector/ingest/body-group.ts';

const bodies = (...texts: string[]) =>
  texts.map((text, place) => ({ bytes: Buffer.from(text), receivedAt: place, key: `key-${place}` }));

const textsOf = ({ bytes, starts, ends }: BodyGroup) =>
  Array.from(ends, (end, place) => Buffer.from(bytes.subarray(starts[place], end)).toString());

test('bodies are adjacent in memory that is reused once it is released', () => {
  const rooms = createBodyPool(24);
  const first = rooms.fill(bodies('ab', '', 'cde'));
  expect([textsOf(first), [...first.receivedAt], first.keys]).toEqual([
    ['ab', '', 'cde'],
    [0, 1, 2],
    ['key-0', 'key-1', 'key-2'],
  ]);
  const second = rooms.fill(bodies('12345678'));
  expect(textsOf(first)).toEqual(['ab', '', 'cde']);
  rooms.release(first);
  const third = rooms.fill(bodies('x'));
  expect(third.bytes.buffer).toBe(first.bytes.buffer);
  expect([third, second].map(textsOf)).toEqual([['x'], ['12345678']]);
});

test('each keeps its alignment, since V8 copies all others byte by byte', () => {
  const source = Buffer.from(new ArrayBuffer(64)).fill('0123456789abcdef');
  const cuts = [source.subarray(3, 10), source.subarray(3, 4), source.subarray(8, 24), source.subarray(17, 18)];
  const group = createBodyPool(64).fill(cuts.map((bytes) => ({ bytes, receivedAt: 0, key: 'key-1' })));
  expect(Array.from(group.starts, (start) => start % 8)).toEqual([3, 3, 0, 1]);
  expect(textsOf(group)).toEqual(cuts.map(String));
  expect([...group.ends]).toEqual([10, 12, 32, 34]);
});

test('groups larger than a buffer are not shared, since they would not be collected in time, and not kept', () => {
  const rooms = createBodyPool(8);
  const large = rooms.fill(bodies('12345', '6789'));
  expect(large.bytes.buffer).toBeInstanceOf(ArrayBuffer);
  rooms.release(large);
  expect(rooms.fill(bodies('a')).bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
});
