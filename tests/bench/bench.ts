import type { Bench, BenchResult } from './bench-result.ts';
import { capacityBench } from './capacity.ts';
import { dashboardBench } from './dashboard.ts';
import { diagnosisBench } from './diagnosis.ts';
import { exportBench } from './export.ts';
import { extensionBench } from './extension.ts';
import { forwardBench } from './forward.ts';
import { hostileBench } from './hostile.ts';
import { ingestBench } from './ingest.ts';
import { memoryBench } from './ingest-memory.ts';
import { killBench } from './kill.ts';
import { loadBench } from './load.ts';
import { describeMachine } from './machine.ts';
import { queryBench } from './query.ts';
import { scaleBench } from './scale.ts';
import { statisticsBench } from './statistics.ts';
import { truthBench } from './truth.ts';

/** Every bench there is; `npm run bench -- NAME`. */
const BENCHES: readonly Bench[] = [
  statisticsBench,
  ingestBench,
  memoryBench,
  capacityBench,
  killBench,
  queryBench,
  scaleBench,
  dashboardBench,
  exportBench,
  extensionBench,
  hostileBench,
  truthBench,
  diagnosisBench,
  forwardBench,
  loadBench,
];

const SECONDS = /^--seconds=(\d{1,5})$/;
const SAMPLES = /^--samples=(\d{5,10})$/;

/** Fewer have no interval. */
const MIN_PAIRS = 6;

const USAGE = `Usage: npm run bench -- NAME [--json] [--seconds=N] [--samples=N]
Benches: ${BENCHES.map(({ name }) => name).join(', ')}
PAIRS=N, ${MIN_PAIRS} or more, in the environment: pairs of loads that extension compares
ATTACK=NAME in the environment: the only attack that hostile plays
FLEETS=N, CAUSE=TEXT, HALF=build|held-out|fresh|all in the environment: fleets of each cause, and the only causes, that diagnosis grades`;

/** @returns the exit code: 0, 1 where a figure misses its limit, 2 for a wrong call */
export async function runBench(args: readonly string[]): Promise<number> {
  const names = args.filter((arg) => !arg.startsWith('-'));
  const unknown = args.filter(
    (arg) => arg.startsWith('-') && arg !== '--json' && !SECONDS.test(arg) && !SAMPLES.test(arg),
  );
  const seconds = args.map((arg) => SECONDS.exec(arg)?.[1]).find((found) => found !== undefined);
  const samples = args.map((arg) => SAMPLES.exec(arg)?.[1]).find((found) => found !== undefined);
  const pairs = Number(process.env.PAIRS || Number.NaN);
  const bench = BENCHES.find(({ name }) => name === names[0]);
  const wrongPairs = process.env.PAIRS && !(Number.isSafeInteger(pairs) && pairs >= MIN_PAIRS);
  if (!bench || names.length !== 1 || unknown.length > 0 || wrongPairs) {
    console.error(USAGE);
    return 2;
  }
  const { figures, misses } = await bench.run((line) => console.error(line), {
    ...(seconds === undefined ? {} : { seconds: Number(seconds) }),
    ...(samples === undefined ? {} : { samples: Number(samples) }),
    ...(process.env.PAIRS ? { pairs } : {}),
  });
  const result: BenchResult = { bench: bench.name, machine: describeMachine(), figures };
  if (args.includes('--json')) console.log(JSON.stringify(result));
  else for (const [name, figure] of Object.entries(figures)) console.log(`${name}: ${JSON.stringify(figure)}`);
  for (const miss of misses) console.error(`Missed: ${miss}`);
  return misses.length === 0 ? 0 : 1;
}

process.exitCode = await runBench(process.argv.slice(2));
