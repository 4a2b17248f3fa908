import { expect, test } from 'vitest';
import { fuzzBytes } from '../../fuzz/fuzz-bytes.ts';
import { rounds } from '../../rounds.ts';

const CASES = rounds(30_000, 10_000_000);

test('whatever is changed in a batch of version 2, the answer is a verdict', { timeout: 900_000 }, () => {
  const { refused, rejecting, accepted } = fuzzBytes(CASES, 23);
  // All three are looked into.
  for (const count of [refused, rejecting, accepted]) expect(count).toBeGreaterThan(CASES / 50);
});
