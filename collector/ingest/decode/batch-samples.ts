import type { Sample } from '../../../shared/sample/sample.ts';
import { encodeColumns } from '../../../shared/wire/encode-columns.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { checkColumns } from './check-columns.ts';
import { readColumns } from './read-columns.ts';

const UNLIMITED = { rows: Infinity, dictionaryEntries: Infinity, metrics: Infinity };

/** Samples as columns, for those who have objects: an import, the demo, tests. None is judged by its age. */
export function batchColumnsOf(samples: readonly Sample[]): BatchColumns {
  const raw = readColumns({ n: samples.length, ...encodeColumns(samples) }, UNLIMITED);
  const { columns, rejected } = checkColumns(raw, { correction: 0, oldest: 0, newest: Infinity, imports: true });
  const [first] = rejected;
  if (first !== undefined) throw new RangeError(`Sample ${first.row} is not valid (${first.code}).`);
  return columns;
}
