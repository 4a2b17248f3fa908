import type { Sample } from '../../../shared/sample/sample.ts';
import { NUMBER_INDEX, TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import { sampleReader } from '../../../shared/sample/sample-reader.ts';
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

/** The rows of a batch as objects, for those who need them; the store does not. */
export function batchSamples({ n, at, texts, numbers, metrics }: BatchColumns): Sample[] {
  const columnOf = new Map(metrics);
  const read = sampleReader({
    at: () => at,
    text: (name) => texts[TEXT_INDEX[name]],
    number: (name) => numbers[NUMBER_INDEX[name]],
    metricNames: [...columnOf.keys()],
    metric: (name) => columnOf.get(name) ?? new Float64Array(n).fill(Number.NaN),
  });
  return Array.from({ length: n }, (_, row) => read(row));
}
