import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import RunOrder from './tests/run-order.ts';

/**
 * They compare times with known or allowed ones, so nothing else may keep the machine busy; `policy` changes the machine for
 * every browser.
 */
const ALONE =
  /\/(path|what-if|firefox-wait|probe|probe-bad-input|demo|demo-end|probe-command|journey|policy|robot-policy)\.test\.ts$/;

/** `npm run test:long`: everything else that real browsers and kills prove, for which `npm test` has no time; CI runs it. */
const LONG = [...testsIn('tests/long'), ...testsUsing(/\bONE_ENGINE\b/)];

/** `npm run test:nightly`: floods, fuzzing, faults, and the proofs of `npm test` repeated more often. */
const NIGHTLY = [...testsIn('tests/nightly'), ...testsUsing(/\/rounds\.ts'/)];

const isNightly = process.env.LASTBYTE_TEST_NIGHTLY === '1';
const files = isNightly ? NIGHTLY : LONG;

const common = {
  env: { LASTBYTE_TEST_LONG: '1' },
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    reporters: ['default', './tests/closing-line-reporter.ts'],
    sequence: { sequencer: RunOrder },
    maxWorkers: isNightly ? 2 : 4,
    projects: [
      { test: { name: 'long', include: files.filter((file) => !ALONE.test(file)), ...common } },
      {
        test: {
          name: 'alone',
          include: files.filter((file) => ALONE.test(file)),
          ...common,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

function testsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function testsUsing(used: RegExp): string[] {
  return ['tests/unit', 'tests/collector', 'tests/browser', 'tests/long']
    .flatMap(testsIn)
    .filter((file) => used.test(readFileSync(file, 'utf8')));
}
