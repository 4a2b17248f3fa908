import { defineConfig } from 'vitest/config';
import RunOrder from './tests/run-order.ts';

/** Limits for tests that hang: 10 s of computing on an idle machine take 40 s next to four others. */
const computing = { testTimeout: 120_000, hookTimeout: 120_000 };
/** Tests poll for states; only a timeout fails them. */
const browser = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 30_000 } } };

/**
 * `unit` needs nothing but Node; `collector` real SQLite, sockets and the built command; `browser` proves in each real browser
 * that what is captured becomes rows and is shown. The rest of what browsers do is in `npm run test:long`.
 */
export default defineConfig({
  test: {
    reporters: ['default', './tests/closing-line-reporter.ts'],
    sequence: { sequencer: RunOrder },
    // A browser test mostly waits, so more of them than there are cores.
    maxWorkers: 5,
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'], isolate: false, ...computing } },
      { test: { name: 'collector', include: ['tests/collector/**/*.test.ts'], isolate: false, ...computing } },
      { test: { name: 'browser', isolate: false, include: ['tests/browser/**/*.test.ts'], ...browser } },
    ],
  },
});
