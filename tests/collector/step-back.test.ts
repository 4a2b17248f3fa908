import { once } from 'node:events';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const STEP_BACK = fileURLToPath(new URL('../../collector/lib/step-back.ts', import.meta.url));
const THREAD = `
import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { stepBack } from ${JSON.stringify(STEP_BACK)};
const own = () => getPriority(process.platform === 'linux' ? Number(readlinkSync('/proc/thread-self').split('/').at(-1)) : 0);
const before = own();
stepBack();
parentPort.postMessage(own() - before);
`;

test('a thread that steps back lets the others of its process go first, and takes none of them along', async () => {
  const { outputFiles } = await build({
    stdin: { contents: THREAD, resolveDir: '.' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const before = getPriority();
  const worker = new Worker(outputFiles[0]?.text ?? '', { eval: true });
  const [[back]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  expect(back).toBe(process.platform === 'linux' ? 5 : 0);
  expect(getPriority()).toBe(before);
});
