import { expect, test } from 'vitest';
import { keepRows } from '../../../collector/storage/columns/select-rows.ts';
import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';

/** Times of three samples, and how often each of their columns was read. */
function columnsOf(first: number) {
  const read: string[] = [];
  const number = (name: string) => {
    read.push(name);
    return Float64Array.of(first, first + 1, first + 2);
  };
  return { read, columns: { n: 3, number } as unknown as SampleColumns };
}

test('a column is copied once; after the release only one that was not read yet is read again', () => {
  const [source, later] = [columnsOf(10), columnsOf(10)];
  let decoded = 0;
  const rows = keepRows(source.columns, Int32Array.of(2, 0), () => {
    decoded++;
    return later.columns;
  });
  expect([...rows.number('wait')]).toEqual([12, 10]);
  rows.release();
  expect([...rows.number('wait')]).toEqual([12, 10]);
  expect(decoded).toBe(0);
  expect([...rows.number('tls')]).toEqual([12, 10]);
  rows.number('tls');
  expect([decoded, source.read, later.read]).toEqual([1, ['wait'], ['tls']]);
});
