import { NEW_BUFFERS } from '../../../collector/ingest/decode/column-buffers.ts';
import { decodeBatch, decodeBatchBytes } from '../../../collector/ingest/decode/decode-batch.ts';
import type { BatchColumns } from '../../../collector/storage/columns/batch-columns.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { BATCH_ID, NOW, ORIGIN } from './arbitrary-sample.ts';

/**
 * The same as `batchColumnsOf`, the way a collector gets them: read from bytes, with the numbers of the reader's words.
 *
 * @param unused templates in the dictionary that no row has
 */
export function scannedColumnsOf(samples: readonly Sample[], unused: readonly string[] = []): BatchColumns {
  const bytes = bytesOf(samples, unused);
  const read = decodeBatchBytes(bytes, NOW, NEW_BUFFERS);
  if (!read?.ok) throw new Error('The batch was not read from its bytes.');
  return read.columns;
}

/** The way a collector gets the columns of a body that it has to parse. */
export function parsedColumnsOf(samples: readonly Sample[], unused: readonly string[] = []): BatchColumns {
  const read = decodeBatch(JSON.parse(bytesOf(samples, unused).toString()), NOW);
  if (!read.ok) throw new Error(read.message);
  return read.columns;
}

function bytesOf(samples: readonly Sample[], unused: readonly string[]): Buffer {
  const batch = encodeBatch(ORIGIN, BATCH_ID, NOW, samples);
  const template = [...(batch.dictionaries.template ?? []), ...unused];
  return Buffer.from(JSON.stringify({ ...batch, dictionaries: { ...batch.dictionaries, template } }));
}
