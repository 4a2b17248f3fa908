import type { BatchColumns } from '../../../collector/storage/columns/batch-columns.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { NUMBER_INDEX, TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import { sampleReader } from '../../../shared/sample/sample-reader.ts';

/** The rows of a batch as objects. */
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
