import { defineConfig } from 'vitest/config';

/** What looks for more than `npm test` has time for: `npm run test:long`, about five minutes. */
export default defineConfig({
  test: {
    reporters: ['default', './tests/closing-line-reporter.ts'],
    include: ['tests/long/**/*.test.ts'],
    hookTimeout: 30_000,
  },
});
