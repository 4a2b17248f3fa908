import { defineConfig } from 'vitest/config';

/** What looks for more than `npm test` has time for: `npm run test:long`, about nine minutes. */
export default defineConfig({
  test: {
    reporters: ['default', './tests/closing-line-reporter.ts'],
    include: ['tests/long/**/*.test.ts'],
    hookTimeout: 30_000,
    // The path compares times, so nothing else may keep the machine busy.
    fileParallelism: false,
  },
});
