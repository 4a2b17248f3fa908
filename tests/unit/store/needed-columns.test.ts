import { expect, test } from 'vitest';
import { type NeededColumns, withNeededColumns } from '../../../collector/storage/clickhouse/needed-columns.ts';

const namesOf = ({ fetched }: NeededColumns) => fetched.map(({ name }) => name);

/** A reading that uses these columns. @returns how many columns each of its attempts had */
function read(reading: string, used: readonly string[]): number[] {
  const attempts: number[] = [];
  withNeededColumns(reading, (columns) => {
    attempts.push(namesOf(columns).length);
    for (const name of used) columns.use(name);
  });
  return attempts;
}

test('a reading fetches what it has used before, and starts again with all columns if it uses another', () => {
  const [all = 0] = read('slow', ['host', 'ttlb']);
  const [few = 0] = read('slow', ['host', 'ttlb']);
  expect(few).toBeLessThan(all / 2);
  // The last attempt has them all, so that it cannot fail again, and is remembered.
  expect(read('slow', ['host', 'status', 'tls'])).toEqual([few, all]);
  expect(read('slow', ['tls', 'status'])).toEqual([few + 2]);
  expect(read('other', ['host'])).toEqual([all]);
});

test('what else fails is not tried again', () => {
  read('failing', ['host']);
  let attempts = 0;
  const failing = () =>
    withNeededColumns('failing', () => {
      attempts++;
      throw new Error('cancelled');
    });
  expect(failing).toThrow('cancelled');
  expect(attempts).toBe(1);
});
