import { expect, test } from 'vitest';
import { type NeededColumns, withNeededColumns } from '../../../collector/storage/clickhouse/needed-columns.ts';
import { OWN_COLUMNS } from '../../../collector/storage/clickhouse/sample-table.ts';

const ALL = OWN_COLUMNS.length;

/** A reading of several ranges, by what it uses of each part of their samples. @returns how many columns each was given */
async function readRanges(reading: string, ranges: readonly (readonly (readonly string[])[])[]): Promise<number[]> {
  const given: number[] = [];
  await withNeededColumns(reading, async (needed: NeededColumns) => {
    for (const parts of ranges) {
      const { ofNext } = needed.ofRange();
      for (const [index, names] of parts.entries()) {
        const { columns, use } = ofNext(index === 0);
        given.push(columns.length);
        for (const name of names) use(name);
      }
    }
  });
  return given;
}

const read = (reading: string, parts: readonly (readonly string[])[]) => readRanges(reading, [parts]);

test('the first samples of a reading show what it uses; once it is answered, that is known', async () => {
  expect(await read('slow', [['host', 'ttlb'], ['host'], ['host', 'ttlb']])).toEqual([ALL, 3, 3]);
  expect(await read('slow', [['host', 'ttlb'], ['ttlb']])).toEqual([3, 3]);
  expect(await read('other', [['host']])).toEqual([ALL]);
});

test('a reading that uses another column starts again, with all of them where it did', async () => {
  const late = [['host'], ['host'], ['host', 'status', 'tls'], ['status']];
  expect(await read('late', late)).toEqual([ALL, 2, 2, ALL, 3, ALL, 4]);
  expect(await read('late', late)).toEqual([4, 4, 4, 4]);
  expect(await read('late', [['host'], ['wait', 'dns']])).toEqual([4, 4, 5, ALL]);
  expect(await read('late', [['dns'], ['wait']])).toEqual([6, 6]);
});

test('a reading that needs more of what samples have in common starts again once', async () => {
  const kept = [['host'], ['site'], ['client', 'browser']];
  expect(await read('kept', kept)).toEqual([ALL, 2, ALL, ALL, 9]);
});

test('each range that a reading opens has its own columns', async () => {
  const ranges = [
    [['host'], ['host']],
    [['host', 'ttlb', 'tls'], ['tls']],
  ];
  expect(await readRanges('twice', ranges)).toEqual([ALL, 2, ALL, 4]);
  expect(await readRanges('twice', ranges)).toEqual([2, 2, 4, 4]);
});

test('a range of which nothing was read shows nothing', async () => {
  expect(await readRanges('empty', [[['host']], []])).toEqual([ALL]);
  expect(await readRanges('empty', [[['host']], [['ttlb'], ['ttlb']]])).toEqual([2, ALL, 2]);
});

test('what else fails is not tried again', async () => {
  let attempts = 0;
  const failing = () =>
    withNeededColumns('failing', async () => {
      attempts++;
      throw new Error('cancelled');
    });
  await expect(failing).rejects.toThrow('cancelled');
  expect(attempts).toBe(1);
});
