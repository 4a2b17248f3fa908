import { randomUUID } from 'node:crypto';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';
import { NOW, ORIGIN } from '../unit/wire/arbitrary-sample.ts';

/** Puts samples of one browser into a store. */
export async function fill(
  store: Store,
  samples: readonly Sample[],
  origin: Partial<ClientInfo> = {},
  clockCorrection = 0,
): Promise<void> {
  const columns = toBatchColumns(samples);
  await store.samples.append([
    { id: randomUUID(), receivedAt: NOW - 1, clockCorrection, origin: { ...ORIGIN, ...origin }, columns },
  ]);
}

/** Id of the n-th browser. */
export function browserId(n: number): string {
  return `c0ffee00-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
