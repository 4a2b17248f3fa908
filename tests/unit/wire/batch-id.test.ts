import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { batchId } from '../../../shared/wire/encode-batch.ts';

test('an id is a UUID of version 7 as RFC 9562 has it in its appendix', () => {
  // A.6: 2022-02-22T19:22:22Z, rand_a cc3, rand_b 18c4dc0c0c07398f
  const random = 'ffffffff-ffff-4cc3-98c4-dc0c0c07398f';
  expect(batchId(0x017f22e279b0, random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
});

test('ids are in order of their time, and two of one moment differ', () => {
  const times = [0, 1, 65_535, 65_536, 1_790_000_000_000, 1_790_000_000_001, 2 ** 48 - 1];
  const ids = times.map((time) => batchId(time, randomUUID()));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 1000 }, () => batchId(5, randomUUID()))).size).toBe(1000);
});

test('a clock that is nowhere still makes a UUID', () => {
  for (const time of [-1, 1.5, 2 ** 60]) {
    expect(batchId(time, randomUUID())).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  }
});
