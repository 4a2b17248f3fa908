import { type DecodedBatch, decodeBatch } from '../../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { batchSamples } from './batch-samples.ts';

type Readable = Exclude<DecodedBatch, { ok: false }>;

/** What a batch says, row by row: easier to compare than columns. */
export function decodeToSamples(
  input: unknown,
  now: number,
): Exclude<DecodedBatch, Readable> | (Omit<Readable, 'columns'> & { readonly samples: readonly Sample[] }) {
  const decoded = decodeBatch(input, now);
  if (!decoded.ok) return decoded;
  const { columns, ...rest } = decoded;
  return { ...rest, samples: batchSamples(columns) };
}
