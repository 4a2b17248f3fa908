// @ts-check
/**
 * `npm run test:nodes`: unit and collector tests and the installed package with Node 22 and 26; `npm test` runs with 24. The Nodes
 * are npm's packages, locked in this folder. Linux x64 only.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const root = path.join(folder, '../..');
const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });

for (const name of Object.keys(dependencies)) {
  const bin = path.join(folder, 'node_modules', name, 'bin');
  console.log(`With ${name}, ${execFileSync(path.join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim()}`);
  run(bin, '--project', 'unit', '--project', 'collector');
  run(bin, '--config', 'vitest.long.config.ts', 'tests/long/package.test.ts');
}

/**
 * @param {string} bin the folder of the Node to run with
 * @param {readonly string[]} words for Vitest
 */
function run(bin, ...words) {
  const PATH = [bin, process.env.PATH].join(path.delimiter);
  const command = ['collector/setup/bootstrap.mjs', 'run', 'node_modules/vitest/vitest.mjs', 'run', ...words];
  const { status } = spawnSync(path.join(bin, 'node'), command, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: 'inherit',
  });
  if (status === 0) return;
  console.error(`${words.join(' ')} failed with ${bin}/node (code ${status})`);
  process.exit(1);
}
