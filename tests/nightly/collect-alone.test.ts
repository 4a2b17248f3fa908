import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../collector/temporary-folder.ts';

/**
 * Makes as much garbage as some thousand commits, and says how long threads other than its own were at work meanwhile, ms. The
 * least of several rounds: a compiler or a server that is still starting works beside the first ones, helpers in each.
 */
const PROGRAM = `
import { readdirSync, readFileSync } from 'node:fs';
import { collectAlone } from './collector/http/gc-flags.ts';
import { startServer } from './collector/http/server.ts';
import { openStore } from './collector/storage/open-store.ts';

const [how, folder] = process.argv.slice(-2);
const others = () => readdirSync('/proc/self/task')
  .filter((thread) => Number(thread) !== process.pid)
  .reduce((sum, thread) => sum + Number(readFileSync('/proc/self/task/' + thread + '/schedstat', 'utf8').split(' ')[0]) / 1e6, 0);

const store = await openStore({ folder, as: 'command' });
const deps = { store, clock: Date.now, version: '9.9.9', dashboardFolder: null, loopbackOnly: true, trustProxy: false, tls: null, log: null };
if (how === 'server') await startServer(deps, { host: '127.0.0.1', port: 0 });
else collectAlone(Number(how));
const waiting = new Array(20_000);
const timeFor = (made, make) => {
  const before = others();
  for (let n = 0; n < made; n++) waiting[n % waiting.length] = make(n);
  return others() - before;
};
const leastOf = (made, make) => Math.min(...Array.from({ length: 5 }, () => timeFor(made, make)));
const bodies = leastOf(200_000, (n) => Buffer.allocUnsafeSlow(n % 1000));
const requests = leastOf(2_000_000, (n) => ({ n, headers: { host: 'h' + n } }));
console.log(JSON.stringify([bodies, requests]));
process.exit();
`;

async function helpersTimes(how: string): Promise<[bodies: number, requests: number]> {
  const folder = await temporaryFolder();
  // Here, since it looks for packages from where it lies.
  const file = join('node_modules', '.cache', `${basename(folder)}.mjs`);
  onTestFinished(() => rm(file, { force: true }));
  await build({
    stdin: { contents: PROGRAM, resolveDir: '.' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: file,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [file, how, folder]);
  return JSON.parse(stdout) as [number, number];
}

/** Measured once: what helpers have to do where there are many cores is the same beside either of the tests. */
let onManyCores: Promise<[bodies: number, requests: number]> | null = null;
const helpersTimesOnManyCores = () => (onManyCores ??= helpersTimes('5'));

function expectNearlyNothing(few: readonly number[], many: readonly number[]): void {
  few.forEach((time, kind) => {
    expect(time).toBeLessThan((many[kind] ?? 0) / 4);
  });
}

// Nowhere else is a thread's time there to be read.
describe.skipIf(!existsSync('/proc/self/schedstat'))('helpers of the collectors of garbage', () => {
  test('have nearly nothing to do where there are few cores, and help where there are many', async () => {
    expectNearlyNothing(await helpersTimes('4'), await helpersTimesOnManyCores());
  });

  test.skipIf(availableParallelism() > 4)('of a server on few cores have nearly nothing to do', async () => {
    expectNearlyNothing(await helpersTimes('server'), await helpersTimesOnManyCores());
  });
});
