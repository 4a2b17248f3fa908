import type { Sample } from '../../../shared/sample/sample.ts';
import type { BatchColumns } from '../../../shared/wire/batch-columns.ts';
import { LASTING_ROOM } from '../../../shared/wire/batch-room.ts';
import { decodeBatchBytes } from '../../../shared/wire/decode-batch.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { BATCH_ID, NOW, ORIGIN } from './arbitrary-sample.ts';

/** The same as `batchColumnsOf`, the way a collector gets them: read from bytes, with the numbers of the reader's words. */
export function scannedColumnsOf(samples: readonly Sample[]): BatchColumns {
  const bytes = Buffer.from(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, samples)));
  const read = decodeBatchBytes(bytes, NOW, (from, to) => bytes.toString('utf8', from, to), LASTING_ROOM);
  if (!read?.ok) throw new Error('The batch was not read from its bytes.');
  return read.columns;
}
