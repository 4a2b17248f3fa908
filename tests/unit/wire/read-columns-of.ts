import { NO_LIMITS } from '../../../collector/ingest/decode/byte-columns.ts';
import { NEW_BUFFERS } from '../../../collector/ingest/decode/column-buffers.ts';
import { type DecodedBatch, decodeBatch } from '../../../collector/ingest/decode/decode-batch.ts';
import { decodeBytes } from '../../../collector/ingest/decode/decode-bytes.ts';
import type { BatchColumns } from '../../../collector/storage/columns/batch-columns.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { encodeBytes } from '../../../shared/wire/encode-bytes.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import { BATCH_ID, NOW, ORIGIN } from './arbitrary-sample.ts';

/**
 * The same as `batchColumnsOf`, the way a collector gets them from a batch in version 2: with numbers of interned strings.
 *
 * @param unused templates in the dictionary that no row has
 */
export function bytesColumnsOf(samples: readonly Sample[], unused: readonly string[] = []): BatchColumns {
  const bytes = Buffer.from(encodeBytes(batchOf(samples, unused), (text) => Buffer.from(text)));
  return columnsOf(decodeBytes(bytes, NOW, NEW_BUFFERS, NO_LIMITS));
}

/** The way a collector gets the columns of a batch in JSON. */
export function jsonColumnsOf(samples: readonly Sample[], unused: readonly string[] = []): BatchColumns {
  return columnsOf(decodeBatch(JSON.parse(JSON.stringify(batchOf(samples, unused))), NOW));
}

function columnsOf(read: DecodedBatch | null): BatchColumns {
  if (!read?.ok) throw new Error(read?.message ?? 'The batch was not read.');
  return read.columns;
}

function batchOf(samples: readonly Sample[], unused: readonly string[]): WireBatch {
  const batch = encodeBatch(ORIGIN, BATCH_ID, NOW, samples);
  const template = [...(batch.dictionaries.template ?? []), ...unused];
  return { ...batch, dictionaries: { ...batch.dictionaries, template } };
}
