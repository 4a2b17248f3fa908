import { defineConfig } from 'vitest/config';

/** `unit` needs nothing but Node; `collector` real SQLite, sockets and the built command; `browser` real browsers. */
export default defineConfig({
  test: {
    reporters: ['default', './tests/closing-line-reporter.ts'],
    projects: [
      // Property tests compute; on a busy machine the default of 5 s would be a race against others.
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'collector',
          include: ['tests/collector/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // A state comes when it comes; only one that never does is a failure.
          expect: { poll: { timeout: 30_000 } },
          // Two browsers at once on two cores would disturb each other's timings.
          fileParallelism: false,
          // Nor may the other projects run beside them.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
