import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that a person and any CI can read: `12 passed, 0 failed, 1 skipped`. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      let seen = 0;
      for (const test of module.children.allTests()) {
        count[test.result().state]++;
        seen++;
      }
      // A file that broke before its first test ran has failed, although no test of it did.
      if (seen === 0 && !module.ok()) count.failed++;
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  }
}
