import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import type { Bench } from './bench-result.ts';
import { forkBenchServer } from './bench-server.ts';
import { BATCH_ROWS, generateBatches, SEED } from './generate-samples.ts';

const KILLS = 50;
const SENDERS = 32;
/** A server lives so long before it is killed, ms: long enough for some groups, rollups and copies of the log. */
const LIFE_MS = { least: 200, most: 3000 };
const BODIES = 64;
const EVERYTHING = { range: { from: 0, to: 8e15 }, filters: {} };

interface Figures {
  readonly kills: number;
  readonly sentBatches: number;
  readonly acknowledgedBatches: number;
  /** Acknowledged and not there. */
  readonly missingBatches: number;
  /** Stored samples that no batch accounts for: some were stored twice, or in part. */
  readonly oddSamples: number;
  /** What `lastbyte check` finds, rollups that differ from a rebuild among it. */
  readonly faults: readonly string[];
}

/** `kill -9` at random moments under load, again and again on the same data. */
export const killBench: Bench = {
  name: 'kill',
  async run(progress) {
    const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
    try {
      const random = seededRandom(SEED);
      const sent = new Set<string>();
      const acknowledged = new Set<string>();
      for (let kill = 1; kill <= KILLS; kill++) {
        const life = LIFE_MS.least + random() * (LIFE_MS.most - LIFE_MS.least);
        await loadAndKill(folder, life, sent, acknowledged);
        if (kill % 10 === 0) progress(`killed ${kill} times, ${acknowledged.size} batches acknowledged`);
      }
      progress('looking for every batch, and rebuilding every rollup');
      const store = await openStore({ folder, as: 'server' });
      const figures = await inspect(store, sent, acknowledged).finally(() => store.close());
      return { figures, misses: missesOf(figures) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function loadAndKill(folder: string, life: number, sent: Set<string>, acknowledged: Set<string>): Promise<void> {
  const { child, started } = await forkBenchServer('lastbyte', folder);
  const gone = once(child, 'exit');
  const bodies = benchBatches();
  const send = async (number: number) => {
    for (let turn = number; child.exitCode === null && child.signalCode === null; turn += SENDERS) {
      const id = randomUUID();
      sent.add(id);
      const answer = await fetch(`http://127.0.0.1:${started.port}/api/v1/batches`, {
        method: 'POST',
        headers: { authorization: `Bearer ${started.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...bodies[turn % bodies.length], batch: id }),
      });
      if (answer.status === 200) acknowledged.add(id);
      await answer.text();
    }
  };
  // Every one of them ends with the server.
  const senders = Array.from({ length: SENDERS }, (_, number) => send(number).catch(() => undefined));
  await after(life);
  child.kill('SIGKILL');
  await gone;
  await Promise.all(senders);
}

/** Of the last hour: older ones would be refused some day. */
function benchBatches() {
  return [...generateBatches(BODIES * BATCH_ROWS, SEED, Date.now() - 3_600_000, 3_500_000)];
}

async function inspect(store: Store, sent: Set<string>, acknowledged: Set<string>): Promise<Figures> {
  let samples = 0;
  for await (const block of store.samples.scan(EVERYTHING)) samples += block.length;
  const faults = await store.maintenance.check();
  const [body] = benchBatches();
  const decoded = decodeBatch(body, Date.now());
  if (!decoded.ok) throw new Error(decoded.message);
  const { origin, clockCorrection } = decoded;
  const columns = { ...decoded.columns, n: 0 };
  const known = async (ids: ReadonlySet<string>) => {
    // A batch without rows stores nothing, and says whether its id is known.
    const all = [...ids];
    let found = 0;
    for (let i = 0; i < all.length; i += 1000) {
      const batches = all
        .slice(i, i + 1000)
        .map((id) => ({ id, receivedAt: Date.now(), clockCorrection, origin, columns }));
      found += (await store.samples.append(batches)).filter(({ duplicate }) => duplicate).length;
    }
    return found;
  };
  const missingBatches = acknowledged.size - (await known(acknowledged));
  const unanswered = new Set([...sent].filter((id) => !acknowledged.has(id)));
  const storedBatches = acknowledged.size - missingBatches + (await known(unanswered));
  return {
    kills: KILLS,
    sentBatches: sent.size,
    acknowledgedBatches: acknowledged.size,
    missingBatches,
    oddSamples: samples - storedBatches * BATCH_ROWS,
    faults,
  };
}

function missesOf({ missingBatches, oddSamples, faults }: Figures): string[] {
  const misses: string[] = [];
  if (missingBatches > 0) misses.push(`${missingBatches} acknowledged batches are not there`);
  if (oddSamples !== 0) misses.push(`${oddSamples} samples more than their batches have`);
  return [...misses, ...faults];
}
