import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { Bench } from './bench-result.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { BATCH_ROWS, generateBatches, SEED } from './generate-samples.ts';
import { untilIdle } from './idle-processes.ts';
import type { ServerKind } from './ingest-server.ts';
import { sendBatches } from './send-batches.ts';
import { missesOfStored, verifyIngest } from './verify-ingest.ts';

const ROUNDS = 5;
/**
 * So long that the rollup at its end, for which somebody who goes on sending would not wait, is a small part of it: a slow
 * machine needs more than a second for what has gathered.
 */
const SECONDS = 15;
const CONNECTIONS = 64;
const BODIES = 1000;
const HOUR_MS = 3_600_000;
/** Rollups that are further behind than this when the load ends would fall behind for ever, ms. */
const MAX_BEHIND_MS = 3000;
/** For servers to come to rest, ms. */
const PATIENCE_MS = 60_000;
const SIDES = ['lastbyte', 'parse-only', 'row-inserts'] as const satisfies readonly ServerKind[];
type Side = (typeof SIDES)[number];

interface Figures {
  /** Acknowledged, durable and rolled up: the time that rollups need once the load has ended counts too. Medians of the rounds, like all below. */
  readonly samplesPerSecond: number;
  readonly fastifyParseOnly: number;
  readonly rowInsertGroupCommit: number;
  /** Medians of the ratios within one round. */
  readonly ratioToParseOnly: number;
  readonly ratioToRowInsert: number;
  /** Of one batch at Lastbyte, ms. */
  readonly p99ms: number;
  /** How long rollups needed to catch up once the load ended, ms. */
  readonly rollupBehindMs: number;
  /** Of the servers' processes with all their threads, rollups included, µs a sample: says more on a busy machine. */
  readonly cpuPerSample: number;
  readonly cpuPerSampleParseOnly: number;
  /** Of the bodies, before gzip and after it. */
  readonly bytesPerSample: number;
  readonly gzipBytesPerSample: number;
}

interface Load {
  readonly rate: number;
  readonly behind: number;
  readonly p99: number;
  readonly cpu: number;
}

type Round = Readonly<Record<Side, Load>>;

export const ingestBench: Bench = {
  name: 'ingest',
  async run(progress) {
    const bodies = benchBodies();
    const rounds: Round[] = [];
    const lost: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      progress(`round ${round + 1} of ${ROUNDS}: warming up, ${SECONDS} s each`);
      const { loads, misses } = await playRound(bodies);
      rounds.push(loads);
      lost.push(...misses);
      const rates = SIDES.map((side) => `${side} ${Math.round(loads[side].rate / 1000)}k`).join(', ');
      progress(`round ${round + 1} of ${ROUNDS}: ${rates} samples a second`);
    }
    const middle = (read: (round: Round) => number) => median(rounds.map(read));
    const figures: Figures = {
      samplesPerSecond: Math.round(middle((round) => round.lastbyte.rate)),
      fastifyParseOnly: Math.round(middle((round) => round['parse-only'].rate)),
      rowInsertGroupCommit: Math.round(middle((round) => round['row-inserts'].rate)),
      ratioToParseOnly: middle((round) => round.lastbyte.rate / round['parse-only'].rate),
      ratioToRowInsert: middle((round) => round.lastbyte.rate / round['row-inserts'].rate),
      p99ms: middle((round) => round.lastbyte.p99),
      rollupBehindMs: middle((round) => round.lastbyte.behind),
      cpuPerSample: middle((round) => round.lastbyte.cpu),
      cpuPerSampleParseOnly: middle((round) => round['parse-only'].cpu),
      bytesPerSample: bytesPerSample(bodies, 'plain'),
      gzipBytesPerSample: bytesPerSample(bodies, 'gzip'),
    };
    progress('comparing what is stored with a rebuild');
    lost.push(...(await verifyIngest(bodies, CONNECTIONS)));
    return { figures, misses: [...missesOf(figures), ...lost] };
  },
};

/**
 * Every server anew: two processes of one program differ for as long as they live, in all of their threads and by up to a
 * quarter of what they can do. With one process a side the figures would be those of the process.
 */
async function playRound(bodies: readonly string[]): Promise<{ loads: Round; misses: string[] }> {
  const started = await Promise.all(SIDES.map(async (side) => [side, await startBenchServer(side)] as const));
  const servers = Object.fromEntries(started) as Record<Side, BenchServer>;
  let firstId = 0;
  let acknowledged = 0;

  async function load(side: Side, seconds = SECONDS): Promise<Load> {
    const server = servers[side];
    await settled(servers);
    const before = await server.usage();
    const sent = await sendBatches(server, bodies, { connections: CONNECTIONS, seconds, firstId });
    firstId += sent.batches + CONNECTIONS;
    const ended = performance.now();
    await server.finish();
    const finished = performance.now();
    const samples = sent.batches * BATCH_ROWS;
    if (side === 'lastbyte') acknowledged += samples;
    return {
      rate: samples / (sent.seconds + (finished - ended) / 1000),
      behind: finished - ended,
      p99: sent.latencies.sort()[Math.floor(0.99 * (sent.latencies.length - 1))] ?? Number.NaN,
      cpu: ((await server.usage()).cpuMicros - before.cpuMicros) / samples,
    };
  }

  /**
   * What a shared machine can do changes by a third within half a minute. So one half of the yardstick comes before
   * Lastbyte's load and one after it: a machine that gets slower meanwhile gets slower for both.
   */
  async function loadEach(): Promise<Round> {
    const before = await load('parse-only', SECONDS / 2);
    const lastbyte = await load('lastbyte');
    const after = await load('parse-only', SECONDS / 2);
    return {
      lastbyte,
      'parse-only': together(before, after),
      'row-inserts': await load('row-inserts'),
    };
  }

  try {
    // Until then the compiler is still at work, in threads that are counted. What a rollup runs comes only now and then.
    await loadEach();
    const loads = await loadEach();
    return { loads, misses: await missesOfStored(servers.lastbyte, acknowledged) };
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** Of two loads of equal length. */
function together(one: Load, other: Load): Load {
  const rate = (one.rate + other.rate) / 2;
  return { ...other, rate, cpu: (one.cpu * one.rate + other.cpu * other.rate) / (2 * rate) };
}

/**
 * What one server leaves behind must not fall on the next: pages that the disk has yet to get (those of the row inserts cost
 * whoever came after them a quarter of his rate), and memory that is given back.
 */
async function settled(servers: Readonly<Record<Side, BenchServer>>): Promise<void> {
  await once(spawn('sync', { stdio: 'ignore' }), 'exit');
  await untilIdle(
    Object.values(servers).map(({ pid }) => pid),
    PATIENCE_MS,
  );
}

/** Batches of the hour that ends now, as the wire has them. */
export function benchBodies(): string[] {
  const now = Date.now();
  const batches = generateBatches(BODIES * BATCH_ROWS, SEED, now - HOUR_MS, HOUR_MS);
  return Array.from(batches, (batch) => JSON.stringify({ ...batch, sentAt: now }));
}

function bytesPerSample(bodies: readonly string[], as: 'plain' | 'gzip'): number {
  const sum = bodies.reduce((bytes, body) => bytes + (as === 'gzip' ? gzipSync(body) : Buffer.from(body)).length, 0);
  return sum / bodies.length / BATCH_ROWS;
}

function missesOf(figures: Figures): string[] {
  const { ratioToParseOnly, ratioToRowInsert, p99ms, rollupBehindMs } = figures;
  const misses: string[] = [];
  if (ratioToParseOnly < 0.3) misses.push(`${ratioToParseOnly} × parse only, not 0.3`);
  if (ratioToRowInsert < 10) misses.push(`${ratioToRowInsert} × row inserts, not 10`);
  if (p99ms > 50) misses.push(`p99 of ${p99ms} ms, not 50`);
  if (rollupBehindMs > MAX_BEHIND_MS) misses.push(`rollups ${rollupBehindMs} ms behind, not ${MAX_BEHIND_MS}`);
  return misses;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
