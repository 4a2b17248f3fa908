import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench-result.ts';
import { BATCH_ROWS, generateBatches, SEED } from './generate-samples.ts';
import type { ServerKind, ServerStarted } from './ingest-server.ts';
import { sendBatches } from './send-batches.ts';

const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 64;
const BODIES = 1000;
const HOUR_MS = 3_600_000;
const KINDS: readonly ServerKind[] = ['lastbyte', 'parse-only', 'row-inserts'];

interface Figures {
  /** Acknowledged and durable, rollups going on beside. Medians of the rounds, like all below. */
  readonly samplesPerSecond: number;
  readonly fastifyParseOnly: number;
  readonly rowInsertGroupCommit: number;
  /** Medians of the ratios within one round. */
  readonly ratioToParseOnly: number;
  readonly ratioToRowInsert: number;
  /** Of one batch at Lastbyte, ms. */
  readonly p99ms: number;
  /** How long rollups needed to catch up once the load ended, ms: well below the time of the load, or they don't. */
  readonly rollupBehindMs: number;
}

interface Server extends ServerStarted {
  readonly process: ChildProcess;
  readonly folder: string;
}

export const ingestBench: Bench = {
  name: 'ingest',
  async run(progress) {
    const bodies = [...generateBatches(BODIES * BATCH_ROWS, SEED, Date.now() - HOUR_MS, HOUR_MS)].map((batch) =>
      JSON.stringify({ ...batch, sentAt: Date.now() }),
    );
    const servers = Object.fromEntries(
      await Promise.all(KINDS.map(async (kind) => [kind, await startServer(kind)] as const)),
    ) as Record<ServerKind, Server>;
    let firstId = 0;
    const load = async (kind: ServerKind, seconds: number) => {
      const server = servers[kind];
      const {
        batches,
        seconds: took,
        latencies,
      } = await sendBatches(server, bodies, { connections: CONNECTIONS, seconds, firstId });
      firstId += batches + CONNECTIONS;
      const started = performance.now();
      server.process.send('finish');
      await once(server.process, 'message');
      const rate = (batches * BATCH_ROWS) / took;
      return {
        rate,
        behind: performance.now() - started,
        p99: latencies.sort()[Math.floor(0.99 * (latencies.length - 1))] ?? Number.NaN,
      };
    };
    try {
      for (const kind of KINDS) await load(kind, WARM_UP_SECONDS);
      const rounds: Record<ServerKind, Awaited<ReturnType<typeof load>>>[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const results = {
          lastbyte: await load('lastbyte', SECONDS),
          'parse-only': await load('parse-only', SECONDS),
          'row-inserts': await load('row-inserts', SECONDS),
        };
        rounds.push(results);
        progress(
          `round ${round + 1} of ${ROUNDS}: ${KINDS.map((kind) => `${kind} ${Math.round(results[kind].rate / 1000)}k`).join(', ')} samples a second`,
        );
      }
      const middle = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read));
      const figures: Figures = {
        samplesPerSecond: Math.round(middle((round) => round.lastbyte.rate)),
        fastifyParseOnly: Math.round(middle((round) => round['parse-only'].rate)),
        rowInsertGroupCommit: Math.round(middle((round) => round['row-inserts'].rate)),
        ratioToParseOnly: middle((round) => round.lastbyte.rate / round['parse-only'].rate),
        ratioToRowInsert: middle((round) => round.lastbyte.rate / round['row-inserts'].rate),
        p99ms: middle((round) => round.lastbyte.p99),
        rollupBehindMs: middle((round) => round.lastbyte.behind),
      };
      return { figures, misses: missesOf(figures) };
    } finally {
      await Promise.all(Object.values(servers).map(stopServer));
    }
  },
};

function missesOf({ ratioToParseOnly, ratioToRowInsert, p99ms }: Figures): string[] {
  const misses: string[] = [];
  if (ratioToParseOnly < 0.55) misses.push(`${ratioToParseOnly} × parse only, not 0.55`);
  if (ratioToRowInsert < 2.5) misses.push(`${ratioToRowInsert} × row inserts, not 2.5`);
  if (p99ms > 50) misses.push(`p99 of ${p99ms} ms, not 50`);
  return misses;
}

async function startServer(kind: ServerKind): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
  const child = fork(fileURLToPath(new URL('./ingest-server.mjs', import.meta.url)), [kind, folder]);
  const [started] = (await once(child, 'message')) as [ServerStarted];
  return { ...started, process: child, folder };
}

async function stopServer({ process: child, folder }: Server): Promise<void> {
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
  await rm(folder, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
