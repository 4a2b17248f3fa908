import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowBytes } from '../../../collector/exchange/export/row-bytes.ts';

function written(write: (out: RowBytes) => void): string {
  const out = new RowBytes(100);
  write(out);
  return Buffer.from(out.take()).toString();
}

test('writes any whole number that a sample can hold', () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 9, 10, 99, 100, 2 ** 53 - 1)), (value) => {
      expect(written((out) => out.whole(value))).toBe(String(value));
    }),
  );
});

test('writes microseconds as milliseconds without losing one', () => {
  fc.assert(
    fc.property(fc.nat(86_400_000_000), (microseconds) => {
      const text = written((out) => out.milliseconds(microseconds));
      expect(Math.round(Number(text) * 1000)).toBe(microseconds);
      expect(text).toBe(String(microseconds / 1000));
    }),
  );
});

test('writes moments, whatever second came before', () => {
  const out = new RowBytes(100);
  fc.assert(
    fc.property(fc.nat(4_000_000_000_000), (at) => {
      out.moment(at, 'T');
      expect(Buffer.from(out.take()).toString()).toBe(new Date(at).toISOString().slice(0, -1));
    }),
  );
});
