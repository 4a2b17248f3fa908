import { decodeJson } from '../../../collector/ingest/decode/decode-json.ts';
import type { BatchColumns } from '../../../collector/storage/columns/batch-columns.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { BATCH_ID, NOW, ORIGIN } from './arbitrary-sample.ts';

/**
 * The way a collector gets the columns of a batch.
 *
 * @param unused templates in the dictionary that no row has
 */
export function columnsOf(samples: readonly Sample[], unused: readonly string[] = []): BatchColumns {
  const batch = encodeBatch(ORIGIN, BATCH_ID, NOW, samples);
  const template = [...(batch.dictionaries.template ?? []), ...unused];
  const sent = { ...batch, dictionaries: { ...batch.dictionaries, template } };
  const read = decodeJson(Buffer.from(JSON.stringify(sent)), NOW);
  if (!read.ok) throw new Error(read.message);
  return read.columns;
}
