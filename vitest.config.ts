import { defineConfig } from 'vitest/config';

/** These compare what a browser measured with delays that are known, so nothing else may keep the machine busy. */
const TIMED = [
  'capture',
  'demo',
  'failures',
  'firefox-tls',
  'firefox-wait',
  'path',
  'probe',
  'probe-bad-input',
  'probe-command',
].map((name) => `tests/browser/${name}.test.ts`);

const inBrowsers = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // Wait as long as it takes; only a state that never comes is a failure.
  expect: { poll: { timeout: 30_000 } },
};

/**
 * `unit` needs only Node; `collector` real SQLite, sockets and the built command; `browser` and `timed` real browsers.
 * Most of a browser test is waiting (for alarms, for workers to be stopped), so `browser` runs beside the others.
 */
export default defineConfig({
  test: {
    reporters: ['default', './tests/closing-line-reporter.ts'],
    maxWorkers: 4,
    projects: [
      // Property tests compute; on a busy machine the default of 5 s would be a race against others.
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'collector',
          include: ['tests/collector/**/*.test.ts'],
          // Browsers keep the machine busy meanwhile.
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      { test: { name: 'browser', include: ['tests/browser/**/*.test.ts'], exclude: TIMED, ...inBrowsers } },
      {
        test: {
          name: 'timed',
          include: TIMED,
          ...inBrowsers,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
