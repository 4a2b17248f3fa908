import type { TimingEntry } from '../timing/timing-entry.ts';
import type { Connection } from '../vocabulary/vocabulary.ts';
import type { Sample } from './sample.ts';

/** Bytes of a body; null where the browser hides them: on opaque and failed entries 0 means "not told". */
export function sizesOf(
  entry: TimingEntry,
  connection: Connection,
): Pick<Sample, 'transferSize' | 'encodedBodySize' | 'decodedBodySize'> {
  const hidden = connection === 'opaque' || connection === 'failed';
  const told = (bytes: number) =>
    Number.isSafeInteger(bytes) && bytes >= 0 && !(hidden && bytes === 0) ? bytes : null;
  return {
    transferSize: told(entry.transferSize),
    encodedBodySize: told(entry.encodedBodySize),
    decodedBodySize: told(entry.decodedBodySize),
  };
}
