import { fuzzSuite } from '../fuzz/fuzz-suite.ts';

/** Of every run the same: a change is told by a fuzzer only if nothing else changed. `npm run test:long` looks further. */
const SEED = 18;

fuzzSuite({
  json: { seed: SEED, runs: 500, seconds: 5 },
  wire: { seed: SEED, runs: 15, seconds: 5 },
  har: { seed: SEED, runs: 250, seconds: 5 },
  settings: { seed: SEED, runs: 75, seconds: 5 },
  queries: { seed: SEED, runs: 75, seconds: 5 },
  'report-options': { seed: SEED, runs: 2, seconds: 5 },
});
