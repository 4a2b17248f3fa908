import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('statements that are open or forgotten are collected in the background, in every thread, without an abort', async () => {
  // better-sqlite3 12 aborts here from Node 24.19 on (RemoveEnvironmentCleanupHook in Statement::~Statement).
  const { stdout } = await promisify(execFile)(process.execPath, ['tests/programs/collect-statements.mjs']);
  expect(stdout).toBe('3600 10\n'.repeat(3));
});
