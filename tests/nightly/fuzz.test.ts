import { seedOfThisRun } from '../fuzz/fuzz.ts';
import { fuzzSuite } from '../fuzz/fuzz-suite.ts';

const seed = seedOfThisRun();
/** Time decides: four minutes together. */
const runs = 10_000_000;

fuzzSuite({
  json: { seed, runs, seconds: 30 },
  wire: { seed, runs, seconds: 60 },
  har: { seed, runs, seconds: 40 },
  settings: { seed, runs, seconds: 40 },
  queries: { seed, runs, seconds: 50 },
  'report-options': { seed, runs, seconds: 20 },
});
