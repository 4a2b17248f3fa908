import { expect, test } from 'vitest';
import { createReusedBuffers } from '../../../collector/ingest/decode/column-buffers.ts';

test('buffers that are reset use the same memory again, and new memory beyond it', () => {
  const buffers = createReusedBuffers(8);
  const [numbers, codes] = [buffers.numbers(6), buffers.codes(8)];
  expect([buffers.numbers(3).buffer, buffers.codes(1).buffer]).not.toContain(numbers.buffer);
  buffers.reset();
  expect(buffers.numbers(8).buffer).toBe(numbers.buffer);
  expect(buffers.codes(8).buffer).toBe(codes.buffer);
  expect(buffers.numbers(1).buffer).not.toBe(numbers.buffer);
});
