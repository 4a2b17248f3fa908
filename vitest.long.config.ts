import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests of `npm test` that repeat their proofs here: more often, or in the browsers that it leaves out. */
const MORE_PROOFS = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('tests', name))
  .filter((file) => /\/rounds\.ts'|\bONE_ENGINE\b/.test(readFileSync(file, 'utf8')));

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
          name: 'more-proofs',
          include: MORE_PROOFS,
          env: { LASTBYTE_TEST_LONG: '1' },
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
