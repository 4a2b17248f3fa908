import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import RunOrder from './tests/run-order.ts';

/** Tests of `npm test` that repeat their proofs here: more often, or in the browsers that it leaves out. */
const MORE_PROOFS = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name) && !name.startsWith('long/'))
  .map((name) => join('tests', name))
  .filter((file) => /\/rounds\.ts'|\bONE_ENGINE\b/.test(readFileSync(file, 'utf8')));

/** They compare times with what they know or allow, so nothing else may keep the machine busy. */
const TIMED = [
  ...['path', 'what-if', 'probe', 'probe-bad-input', 'demo', 'demo-end'].map((name) => `tests/long/${name}.test.ts`),
  'tests/browser/probe-command.test.ts',
  // Four servers and ZooKeeper, whose sessions end after ten seconds.
  'tests/collector/clickhouse-cluster.test.ts',
];

const common = {
  env: { LASTBYTE_TEST_LONG: '1' },
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000 } },
};

/** What `npm test` has no time for: `npm run test:long`. */
export default defineConfig({
  test: {
    reporters: ['default', './tests/closing-line-reporter.ts'],
    sequence: { sequencer: RunOrder },
    maxWorkers: 2,
    projects: [
      { test: { name: 'long', include: ['tests/long/**/*.test.ts'], exclude: TIMED, ...common } },
      { test: { name: 'more-proofs', include: MORE_PROOFS, exclude: TIMED, ...common } },
      {
        test: {
          name: 'timed',
          include: TIMED.filter((file) => file.startsWith('tests/long/') || MORE_PROOFS.includes(file)),
          ...common,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
