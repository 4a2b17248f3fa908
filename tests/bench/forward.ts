import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { SqliteMaintenance } from '../../collector/storage/sqlite/sqlite-maintenance.ts';
import { type ClickHouseServer, startClickHouse } from '../collector/clickhouse-server.ts';
import type { Bench } from './bench-result.ts';
import { DAYS, FIRST_MS, generateBatches } from './generate-samples.ts';

const SAMPLES = 2_000_000;
/** As many samples a day as a month of 10 million has. */
const SAMPLES_A_DAY = 10_000_000 / DAYS;
const DAY_MS = 24 * 3_600_000;
/** Samples per commit of a collector under load: about 2,000. */
const GROUP_BATCHES = 40;
/** Compiling the loops takes about this many. */
const WARM_UP_SAMPLES = 500_000;

interface ForwardFigures {
  /** ClickHouse on the same machine. */
  readonly forwardPerSecond: number;
  /** Processor time of the collector's process for each sample: reading it from the outbox, encoding, sending, removing. */
  readonly forwardMicroseconds: number;
  /** Of the table of samples on disk, once its parts are merged. */
  readonly sampleBytes: number;
}

/** Sends a backlog to ClickHouse, which is what a collector does once ClickHouse is back. */
export const forwardBench: Bench = {
  name: 'forward',
  async run(progress) {
    const server = await startClickHouse(resolve('tests/programs/clickhouse-server.mjs'));
    try {
      return { figures: await forwardFigures(server, SAMPLES, progress), misses: [] };
    } finally {
      await server.stop();
    }
  },
};

async function forwardFigures(
  server: ClickHouseServer,
  samples: number,
  progress: (line: string) => void,
): Promise<ForwardFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
  const store = await openStore({
    folder,
    as: 'command',
    samples: server.address('forward'),
    threadScript: new URL('../../collector/cli/store-thread.ts', import.meta.url),
  });
  try {
    const all = WARM_UP_SAMPLES + samples;
    let group: Parameters<typeof store.samples.append>[0][number][] = [];
    for (const wire of generateBatches(all, undefined, FIRST_MS, (all / SAMPLES_A_DAY) * DAY_MS)) {
      const batch = decodeBatch(wire, wire.sentAt);
      if (!batch.ok) throw new Error('A generated batch was refused.');
      const { batchId: id, origin, clockCorrection, columns } = batch;
      group.push({ id, receivedAt: wire.sentAt, clockCorrection, origin, columns });
      if (group.length < GROUP_BATCHES) continue;
      await store.samples.append(group);
      group = [];
    }
    await store.samples.append(group);
    progress(`${all / 1e6} million samples wait`);

    const waiting = async () => (await store.maintenance.backlog())?.samples ?? 0;
    const { rollUpStep } = store.maintenance as SqliteMaintenance;
    while ((await waiting()) > samples) await rollUpStep();
    const rest = await waiting();
    const [from, before] = [performance.now(), process.cpuUsage()];
    while (await rollUpStep());
    const [ms, { user, system }] = [performance.now() - from, process.cpuUsage(before)];
    const sent = rest - (await waiting());
    return {
      forwardPerSecond: Math.round((sent / ms) * 1000),
      forwardMicroseconds: (user + system) / sent,
      sampleBytes: await bytesOfSamples(server),
    };
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bytesOfSamples(server: ClickHouseServer): Promise<number> {
  await server.administer('forward', 'OPTIMIZE TABLE sample FINAL');
  const [row = []] = await server.rows(
    'forward',
    `SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts
     WHERE active AND table = 'sample' AND database = currentDatabase()`,
  );
  return row[0] as number;
}
