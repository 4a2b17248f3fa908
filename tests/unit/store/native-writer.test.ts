import { expect, test } from 'vitest';
import { readNative } from '../../../collector/storage/clickhouse/native-reader.ts';
import { NativeWriter } from '../../../collector/storage/clickhouse/native-writer.ts';
import { ByteWriter } from '../../../collector/storage/columns/bytes.ts';
import { NULL } from '../../../shared/sample/sample-columns.ts';

/** On both sides of every limit at which a number is written differently. */
const NUMBERS = [
  0,
  1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 50 + 1,
  -2,
  -(2 ** 31),
  -(2 ** 31) - 1,
  -(2 ** 40),
];

test('numbers are read as they were written', () => {
  const values = Float64Array.of(...NUMBERS, Number.NaN);
  const writer = new NativeWriter(2, values.length);
  writer.int64('wide', Float64Array.of(...NUMBERS, 7));
  writer.optionalInt64('optional', values, NULL);
  const block = readNative(writer.bytes());
  expect([...block.numbers('wide')]).toEqual([...NUMBERS, 7]);
  expect([...block.numbers('optional')]).toEqual([...NUMBERS, NULL]);
});

test.each([1, 255, 256, 65_535, 65_536])(
  'texts of a dictionary of %d strings are read as they were written',
  (size) => {
    const strings = Array.from({ length: size }, (_, index) => `text ${index}`);
    const codes = Int32Array.from([NULL, 0, size - 1, NULL, Math.floor(size / 2)]);
    const writer = new NativeWriter(1, codes.length);
    writer.optionalText('name', { strings, codes });
    const read = readNative(writer.bytes()).text('name');
    expect(Array.from(read.codes, (code) => read.strings[code] ?? null)).toEqual(
      Array.from(codes, (code) => strings[code] ?? null),
    );
  },
);

test('the same block has the same bytes, wherever it is written', () => {
  const write = (out: ByteWriter, rows: number) => {
    const writer = new NativeWriter(3, rows, out);
    writer.int64('at', new Float64Array(rows).fill(rows));
    writer.optionalInt64('size', new Float64Array(rows).fill(NULL), NULL);
    writer.namedNumbers('metric', [
      ['app', Float64Array.from({ length: rows }, (_, row) => (row % 2 ? row : Number.NaN))],
    ]);
    return Buffer.from(writer.bytes());
  };
  const used = new ByteWriter(true);
  write(used, 20_000);
  expect(write(used, 100).equals(write(new ByteWriter(), 100))).toBe(true);
});
