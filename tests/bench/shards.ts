import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { clusterAbsent, startCluster } from '../collector/clickhouse-cluster.ts';
import type { Bench } from './bench-result.ts';
import { END_MS, fillStore } from './fill-store.ts';
import { FIRST_MS } from './generate-samples.ts';

const SAMPLES = 1_000_000;
const ROUNDS = 5;
const DAY_MS = 24 * 3_600_000;

interface ShardFigures {
  /** The time of one shard to that of two, each of which uses one thread. */
  readonly shardsRatio: number;
  readonly oneShardMs: number;
  readonly twoShardsMs: number;
}

/** The same question about the same samples, on one server of Debian's ClickHouse and on two: `--samples=N`. */
export const shardsBench: Bench = {
  name: 'shards',
  async run(progress, { samples = SAMPLES } = {}) {
    const figures = await measureShards(samples, progress);
    const misses = figures.shardsRatio < 1.8 ? [`two shards are ${figures.shardsRatio} × as fast as one, not 1.8`] : [];
    return { figures, misses };
  },
};

export async function measureShards(samples: number, progress: (line: string) => void): Promise<ShardFigures> {
  const absent = clusterAbsent();
  if (absent !== null) throw new Error(absent);
  const [oneShardMs, twoShardsMs] = [await timeWith(1, samples, progress), await timeWith(2, samples, progress)];
  return { shardsRatio: oneShardMs / twoShardsMs, oneShardMs, twoShardsMs };
}

async function timeWith(shards: number, samples: number, progress: (line: string) => void): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-shards-'));
  const cluster = await startCluster(new Array<number>(shards).fill(1), { max_threads: 1 });
  try {
    progress(`${shards} shards:`);
    const address = await cluster.createDatabase('shards');
    const store = await openStore({ folder, as: 'command', samples: address, clock: () => END_MS + DAY_MS });
    try {
      // Samples are summed, as far as they have no rollups: what shards are for.
      const maintenance = { ...store.maintenance, rollUp: forwardOnly(store), finalize: forwardOnly(store) };
      await fillStore({ ...store, maintenance }, samples, progress);
      const median = await medianOf(store);
      progress(`${median.toFixed(0)} ms`);
      return median;
    } finally {
      await store.close();
    }
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function forwardOnly({ maintenance }: Store): () => Promise<void> {
  const { rollUpStep } = maintenance as Store['maintenance'] & { rollUpStep(): Promise<boolean> };
  return async () => {
    while (await rollUpStep());
  };
}

/** The first round warms up and does not count. */
async function medianOf({ samples }: Store): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    // Another range each time, so that no answer is kept.
    const range = { from: FIRST_MS + round, to: END_MS - 1234 };
    const started = performance.now();
    await samples.aggregate({ range, filters: {}, by: ['host', 'type'] });
    if (round > 0) times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
