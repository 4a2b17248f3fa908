import { gunzipSync, gzipSync } from 'node:zlib';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import type { Bench } from './bench-result.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { generateBatches, SEED } from './generate-samples.ts';
import { untilIdle } from './idle-processes.ts';
import { sendBatches } from './send-batches.ts';
import { simulateWorkday } from './simulate-workday.ts';

const BROWSERS = 1_000_000;
/** Two sizes of batches tell what a batch costs and what a sample does. */
const [FEW_ROWS, MANY_ROWS] = [10, 200];
const BODIES = 500;
const SECONDS = 10;
const CONNECTIONS = 64;
const PATIENCE_MS = 60_000;
const HOUR_MS = 3_600_000;

interface Figures {
  readonly browsers: number;
  /** Of one browser, in a day. */
  readonly samplesPerBrowser: number;
  readonly batchesPerBrowser: number;
  readonly samplesPerBatch: number;
  /** Of 1,000 browsers, in the busiest minute of the day. */
  readonly peakSamplesPerSecond: number;
  readonly peakBatchesPerSecond: number;
  readonly peakSettingsPerSecond: number;
  /** The busiest second against the mean of the busiest minute: all 1,000,000 browsers. */
  readonly burstRatio: number;
  /** Processor time of all threads of the collector, rollups included, µs. */
  readonly microsPerBatch: number;
  readonly microsPerSample: number;
  readonly inflateMicrosPerBatch: number;
  /** Of a body, gzip. */
  readonly bytesPerBatch: number;
  /** Of 1,000 browsers, in the busiest minute: share of one core, and traffic. */
  readonly peakCoreShare: number;
  readonly peakKilobytesPerSecond: number;
  /** That one core serves in the busiest minute, TLS aside. */
  readonly browsersPerCore: number;
}

/** What browsers ask of a collector in a working day, from a simulation, and what that costs, measured. */
export const capacityBench: Bench = {
  name: 'capacity',
  async run(progress) {
    progress(`a day of ${BROWSERS.toLocaleString('en')} browsers`);
    const day = simulateWorkday(BROWSERS, seededRandom(SEED));
    const samplesPerBatch = day.samples / day.batches;
    progress(`batches of ${FEW_ROWS} and of ${MANY_ROWS} samples, ${SECONDS} s each, twice`);
    const { perBatch, perSample } = await costs();
    const bodies = bodiesOf(Math.round(samplesPerBatch)).map((body) => gzipSync(body));
    const inflateMicrosPerBatch = inflateCost(bodies);
    const bytesPerBatch = bodies.reduce((bytes, { length }) => bytes + length, 0) / bodies.length;
    const thousands = BROWSERS / 1000;
    const peakBatchesPerSecond = day.peakBatchesPerSecond / thousands;
    const peakSamplesPerSecond = day.peakSamplesPerSecond / thousands;
    const peakMicros = peakBatchesPerSecond * (perBatch + inflateMicrosPerBatch) + peakSamplesPerSecond * perSample;
    const figures: Figures = {
      browsers: BROWSERS,
      samplesPerBrowser: day.samples / BROWSERS,
      batchesPerBrowser: day.batches / BROWSERS,
      samplesPerBatch,
      peakSamplesPerSecond,
      peakBatchesPerSecond,
      peakSettingsPerSecond: day.peakSettingsPerSecond / thousands,
      burstRatio: day.mostBatchesInOneSecond / day.peakBatchesPerSecond,
      microsPerBatch: perBatch,
      microsPerSample: perSample,
      inflateMicrosPerBatch,
      bytesPerBatch,
      peakCoreShare: peakMicros / 1e6,
      peakKilobytesPerSecond: (peakBatchesPerSecond * bytesPerBatch) / 1000,
      browsersPerCore: Math.round((1000 * 1e6) / peakMicros),
    };
    const isMeasured = perBatch > 0 && perSample > 0;
    return { figures, misses: isMeasured ? [] : ['the machine was too busy to tell batches from samples'] };
  },
};

/** Of the second load each: until then code is being optimized. */
async function costs(): Promise<{ perBatch: number; perSample: number }> {
  const server = await startBenchServer('lastbyte');
  try {
    let firstId = 0;
    const microsOf = async (rows: number): Promise<number> => {
      await untilIdle([server.pid], PATIENCE_MS);
      const { micros, batches } = await load(server, rows, firstId);
      firstId += batches + CONNECTIONS;
      return micros / batches;
    };
    await microsOf(FEW_ROWS);
    await microsOf(MANY_ROWS);
    const [few, many] = [await microsOf(FEW_ROWS), await microsOf(MANY_ROWS)];
    const perSample = (many - few) / (MANY_ROWS - FEW_ROWS);
    return { perBatch: few - FEW_ROWS * perSample, perSample };
  } finally {
    await server.stop();
  }
}

/** Processor time with everything rolled up, µs. */
async function load(server: BenchServer, rows: number, firstId: number): Promise<{ micros: number; batches: number }> {
  const before = await server.usage();
  const { batches } = await sendBatches(server, bodiesOf(rows), {
    connections: CONNECTIONS,
    seconds: SECONDS,
    firstId,
  });
  await server.finish();
  return { micros: (await server.usage()).cpuMicros - before.cpuMicros, batches };
}

/** Of the hour that ends now. */
function bodiesOf(rows: number): string[] {
  const now = Date.now();
  const batches = generateBatches(BODIES * rows, SEED, now - HOUR_MS, HOUR_MS, rows);
  return Array.from(batches, (batch) => JSON.stringify({ ...batch, sentAt: now }));
}

/** Of one body, µs: what the collector does with it in zlib's threads. */
function inflateCost(bodies: readonly Uint8Array[]): number {
  let micros = 0;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    for (const body of bodies) gunzipSync(body);
    const { user, system } = process.cpuUsage(before);
    micros = (user + system) / bodies.length;
  }
  return micros;
}
