import type { StoredSample } from './sample.ts';
import type { SampleColumns } from './sample-columns.ts';
import { sampleReader } from './sample-reader.ts';

/** Rows of stored columns as objects, each beside its origin. */
export function rowReader(columns: SampleColumns): (row: number) => StoredSample {
  const read = sampleReader(columns);
  const originOf = columns.origin();
  // The key's id is for erasing alone.
  const origins = columns.origins.map(({ key: _key, ...origin }) => origin);
  return (row) => {
    const origin = origins[originOf[row] as number];
    if (origin === undefined) throw new RangeError(`Row ${row} has no origin.`);
    return { ...read(row), origin };
  };
}
