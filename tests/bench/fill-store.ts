import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import type { Store } from '../../collector/storage/store.ts';
import { DAYS, FIRST_MS, generateBatches } from './generate-samples.ts';

const GROUP_BATCHES = 100;
const ROLL_UP_SAMPLES = 500_000;
const DAY_MS = 24 * 3_600_000;
/** The end of the month that the generator fills. */
export const END_MS = FIRST_MS + DAYS * DAY_MS;

/** Stores the generator's samples as a server would have over the month: rolled up as it goes, sealed at the end. */
export async function fillStore(store: Store, samples: number, progress: (line: string) => void): Promise<void> {
  let group: Parameters<Store['samples']['append']>[0][number][] = [];
  let done = 0;
  for (const wire of generateBatches(samples)) {
    const batch = decodeBatch(wire, wire.sentAt);
    if (!batch.ok || batch.rejected.length > 0) throw new Error('A generated batch was refused.');
    const { batchId: id, origin, clockCorrection, columns } = batch;
    group.push({ id, receivedAt: wire.sentAt, clockCorrection, origin, columns });
    done += columns.n;
    if (group.length < GROUP_BATCHES && done < samples) continue;
    await store.samples.append(group);
    group = [];
    if (done % ROLL_UP_SAMPLES === 0) await store.maintenance.rollUp();
    if (done % (samples / 10) === 0) progress(`${done / 1e6} million samples stored`);
  }
  progress('finalizing the days and the month');
  await store.maintenance.finalize(END_MS + DAY_MS);
}
