import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** What tests/long/policy.test.ts trusts the machine's policies to, here with files of no importance. */
async function machine() {
  const folder = await temporaryFolder();
  const [kept, added] = [join(folder, 'policies.json'), join(folder, 'new/managed/test.json')];
  await writeFile(kept, 'of the administrator');
  const start = async (): Promise<ChildProcess> => {
    const keeper = spawn(process.execPath, ['tests/browser/fixture/policy-keeper.mjs'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: folder },
    });
    onTestFinished(() => {
      keeper.kill('SIGKILL');
    });
    keeper.stdin?.write(`${JSON.stringify([kept, added].map((file) => ({ file, content: 'of the test' })))}\n`);
    if (keeper.stdout) await once(keeper.stdout, 'data');
    return keeper;
  };
  const now = async () => [await readFile(kept, 'utf8'), existsSync(added), existsSync(join(folder, 'new'))];
  return { start, now, before: ['of the administrator', false, false], during: ['of the test', true, true] };
}

test('policies are put back once nobody holds them any more, and Ctrl-C does not end their keeper', async () => {
  const { start, now, before, during } = await machine();
  const keeper = await start();
  expect(await now()).toEqual(during);
  keeper.kill('SIGINT');
  keeper.kill('SIGTERM');
  const gone = once(keeper, 'exit');
  keeper.stdin?.end();
  expect(await gone).toEqual([0, null]);
  expect(await now()).toEqual(before);
});

test('after even the keeper was killed the next one puts back what was there before', async () => {
  const { start, now, before, during } = await machine();
  const killed = await start();
  const gone = once(killed, 'exit');
  killed.kill('SIGKILL');
  await gone;
  expect(await now()).toEqual(during);
  const next = await start();
  const ended = once(next, 'exit');
  next.stdin?.end();
  await ended;
  expect(await now()).toEqual(before);
});
