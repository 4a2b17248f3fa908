import { fuzzSuite } from '../fuzz/fuzz-suite.ts';

/** Of every run the same: a change is told by a fuzzer only if nothing else changed. `npm run test:long` looks further. */
const SEED = 18;

fuzzSuite({
  json: { seed: SEED, runs: 1000, seconds: 10 },
  wire: { seed: SEED, runs: 30, seconds: 10 },
  har: { seed: SEED, runs: 500, seconds: 10 },
  settings: { seed: SEED, runs: 150, seconds: 10 },
  queries: { seed: SEED, runs: 150, seconds: 10 },
  'report-options': { seed: SEED, runs: 4, seconds: 10 },
});
