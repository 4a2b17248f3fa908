import { setTimeout as after } from 'node:timers/promises';
import type { Bench } from './bench-result.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { BATCH_ROWS } from './generate-samples.ts';
import { benchBodies } from './ingest.ts';
import { sendBatches } from './send-batches.ts';

const SECONDS = 300;
const CONNECTIONS = 64;
/** Each connection rests so long after an answer: about 60,000 samples a second, or 18 million in five minutes. */
const PAUSE_MS = 50;
const READERS = 10;
const READ_EVERY_MS = 1000;
const MEASURE_EVERY_MS = 250;
/** How much more memory the last fifth may use than the second. */
const MAX_GROWTH = 1.1;

interface Figures {
  readonly seconds: number;
  readonly samplesPerSecond: number;
  readonly summaries: number;
  readonly p99ms: number;
  /** Largest resident size within the second and the last fifth of the time: minutes, if it lasts five. */
  readonly secondFifthBytes: number;
  readonly lastFifthBytes: number;
  readonly growth: number;
}

export const memoryBench: Bench = {
  name: 'memory',
  async run(progress, { seconds = SECONDS } = {}) {
    const server = await startBenchServer('lastbyte');
    try {
      const ended = new AbortController();
      const measuring = residentSizes(server, ended.signal, progress);
      const readers = Array.from({ length: READERS }, () => readSummaries(server, ended.signal));
      const bodies = benchBodies();
      const load = { connections: CONNECTIONS, seconds, firstId: 0, pauseMs: PAUSE_MS };
      const sent = await sendBatches(server, bodies, load);
      ended.abort();
      const summaries = (await Promise.all(readers)).reduce((sum, one) => sum + one, 0);
      const sizes = await measuring;
      const fifth = (number: number) =>
        Math.max(...sizes.slice(Math.floor((sizes.length * number) / 5), Math.ceil((sizes.length * (number + 1)) / 5)));
      const figures: Figures = {
        seconds: sent.seconds,
        samplesPerSecond: Math.round((sent.batches * BATCH_ROWS) / sent.seconds),
        summaries,
        p99ms: sent.latencies.sort()[Math.floor(0.99 * (sent.latencies.length - 1))] ?? Number.NaN,
        secondFifthBytes: fifth(1),
        lastFifthBytes: fifth(4),
        growth: fifth(4) / fifth(1),
      };
      const misses = figures.growth > MAX_GROWTH ? [`memory grew to ${figures.growth}, not ${MAX_GROWTH}`] : [];
      return { figures, misses };
    } finally {
      await server.stop();
    }
  },
};

async function residentSizes(
  server: BenchServer,
  ended: AbortSignal,
  progress: (line: string) => void,
): Promise<number[]> {
  const sizes: number[] = [];
  const every = Math.round(30_000 / MEASURE_EVERY_MS);
  while (!ended.aborted) {
    const { residentBytes } = await server.usage();
    if (sizes.push(residentBytes) % every === 0) progress(`resident: ${Math.round(residentBytes / 2 ** 20)} MiB`);
    await after(MEASURE_EVERY_MS);
  }
  return sizes;
}

/** As a dashboard does that is left open. Returns how many answers it got. */
async function readSummaries({ port, readToken }: BenchServer, ended: AbortSignal): Promise<number> {
  let answers = 0;
  while (!ended.aborted) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/summary?by=host,type`, {
      headers: { authorization: `Bearer ${readToken}` },
    });
    if (!answer.ok) throw new Error(`The summary was refused: ${await answer.text()}`);
    await answer.json();
    answers++;
    await after(READ_EVERY_MS);
  }
  return answers;
}
