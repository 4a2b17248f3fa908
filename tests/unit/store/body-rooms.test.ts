import { expect, test } from 'vitest';
import { createBodyRooms } from '../../../collector/store/sqlite/body-rooms.ts';

const bodies = (...texts: string[]) => texts.map((text, place) => ({ bytes: Buffer.from(text), receivedAt: place }));

test('bodies lie side by side in memory that is used again once it was given back', () => {
  const rooms = createBodyRooms(8);
  const first = rooms.fill(bodies('ab', '', 'cde'));
  expect([Buffer.from(first.bytes).toString(), [...first.ends], [...first.receivedAt]]).toEqual([
    'abcde',
    [2, 2, 5],
    [0, 1, 2],
  ]);
  const second = rooms.fill(bodies('12345678'));
  expect(Buffer.from(first.bytes).toString()).toBe('abcde');
  rooms.giveBack(first);
  const third = rooms.fill(bodies('x'));
  expect(third.bytes.buffer).toBe(first.bytes.buffer);
  expect([third, second].map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['x', '12345678']);
});

test('what is larger than a room is not shared, since nobody would collect it in time, and is not kept', () => {
  const rooms = createBodyRooms(8);
  const large = rooms.fill(bodies('12345', '6789'));
  expect(large.bytes.buffer).toBeInstanceOf(ArrayBuffer);
  rooms.giveBack(large);
  expect(rooms.fill(bodies('a')).bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
});
