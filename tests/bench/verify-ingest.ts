import { type BenchServer, startBenchServer } from './bench-server.ts';
import { BATCH_ROWS } from './generate-samples.ts';
import { sendBatches } from './send-batches.ts';

/** Little enough for everything to be rebuilt from its samples. */
const SECONDS = 0.5;

/** What a server must have kept of a load: as much as it said it has. */
export async function missesOfStored(server: BenchServer, acknowledged: number): Promise<string[]> {
  const stored = await server.stored();
  return stored === acknowledged ? [] : [`${acknowledged} samples acknowledged, ${stored} stored`];
}

/**
 * The same load, briefly and then once more under the same ids, on a server of its own: each sample is there once, and the
 * rollups are what a rebuild gives.
 */
export async function verifyIngest(bodies: readonly string[], connections: number): Promise<string[]> {
  const server = await startBenchServer('lastbyte');
  try {
    const load = () => sendBatches(server, bodies, { connections, seconds: SECONDS, firstId: 0 });
    const [first, again] = [await load(), await load()];
    const distinct = Math.max(first.batches, again.batches) * BATCH_ROWS;
    return [...(await missesOfStored(server, distinct)), ...(await server.check())];
  } finally {
    await server.stop();
  }
}
