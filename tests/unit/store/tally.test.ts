import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Tally } from '../../../collector/storage/rollups/roll-up.ts';

test('a tally counts what came since it was last drained', () => {
  const tally = new Tally(10);
  fc.assert(
    fc.property(fc.array(fc.nat(9)), (numbers) => {
      const expected = new Map<number, number>();
      for (const number of numbers) {
        tally.add(number);
        expected.set(number, (expected.get(number) ?? 0) + 1);
      }
      const seen: (readonly [number, number])[] = [];
      tally.drain((...found) => seen.push(found));
      expect(seen).toEqual([...expected]);
    }),
    { seed: 13, numRuns: 200 },
  );
});
