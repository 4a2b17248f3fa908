import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests of `npm test` that repeat their proofs more often here. */
const MORE_ROUNDS = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('tests', name))
  .filter((file) => readFileSync(file, 'utf8').includes("/rounds.ts'"));

/** What looks for more than `npm test` has time for: `npm run test:long`, at most fifteen minutes. */
export default defineConfig({
  test: {
    reporters: ['default', './tests/closing-line-reporter.ts'],
    // The path and the probes compare times, so nothing else may keep the machine busy.
    fileParallelism: false,
    projects: [
      { test: { name: 'long', include: ['tests/long/**/*.test.ts'], hookTimeout: 30_000 } },
      {
        test: {
          name: 'more-rounds',
          include: MORE_ROUNDS,
          env: { LASTBYTE_TEST_LONG: '1' },
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
