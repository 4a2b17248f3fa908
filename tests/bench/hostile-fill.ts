import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import type { AcceptedBatch } from '../../collector/storage/ingestion.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { generateBatches, SEED } from './generate-samples.ts';
import { attackBatch } from './hostile-bodies.ts';

const FLEET = 20_000;
const SAMPLES = 500_000;
const DAY_MS = 86_400_000;
const GROUP = 200;

/** Browsers that each said once how they are, with the few reasons that honest ones have. */
export function fillFleet(folder: string): Promise<void> {
  const status: BrowserStatus = {
    state: 'collecting',
    waiting: 3,
    dropped: { full: 12 },
    rejected: { bad_status: 1 },
    lost: {},
    turns: [],
  };
  const batches = Array.from({ length: FLEET }, (_, number) =>
    attackBatch({ n: 1, site: 'fleet', client: `fleet-${String(number).padStart(8, '0')}`, status }),
  );
  return fill(folder, batches, Date.now());
}

/** Three weeks of samples: enough for a question that reads each of them to take a while. */
export function fillSamples(folder: string): Promise<void> {
  return fill(folder, generateBatches(SAMPLES, SEED, Date.now() - 20 * DAY_MS, 19 * DAY_MS), null);
}

/** @param receivedAt of all of them; null takes when each was sent */
async function fill(folder: string, batches: Iterable<object>, receivedAt: number | null): Promise<void> {
  const store = await openStore({ folder, as: 'server' });
  try {
    await append(store, batches, receivedAt);
    await store.maintenance.rollUp();
  } finally {
    await store.close();
  }
}

async function append(store: Store, batches: Iterable<object>, receivedAt: number | null): Promise<void> {
  let group: AcceptedBatch[] = [];
  for (const wire of batches) {
    const at = receivedAt ?? (wire as WireBatch).sentAt;
    const batch = decodeBatch(wire, at);
    if (!batch.ok || batch.rejected.length > 0) throw new Error('A generated batch was refused.');
    const { batchId: id, origin, clockCorrection, columns, status } = batch;
    group.push({ id, receivedAt: at, clockCorrection, origin, columns, status });
    if (group.length < GROUP) continue;
    await store.samples.append(group);
    group = [];
  }
  if (group.length > 0) await store.samples.append(group);
}
