// @ts-check
/**
 * `npm run check`: types, lint, dead code and unit tests, as many side by side as there are cores. `node tests/check.mjs types`
 * runs those steps alone that it names. Each says how long it took; what a step prints is shown if it fails.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Each folder with a tsconfig.json, the largest first. */
const TYPED = ['tests', 'collector', 'collector/dashboard', 'shared', 'extension'];

/** @typedef {{ name: string, command: string, args: string[] }} Step */

/** @type {Step[]} the longest first */
const STEPS = [
  step('unit', 'node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'),
  ...TYPED.map((folder) =>
    step(`types ${folder}`, 'node_modules/typescript/bin/tsc', '-p', folder, ...remembering(folder)),
  ),
  step('lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '.'),
  step('dead', 'node_modules/knip/bin/knip.js'),
  // Code that only tests use is dead, too.
  step('dead in production', 'node_modules/knip/bin/knip.js', '--production'),
];

const wanted = process.argv.slice(2);
const queue = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name.split(' ')[0] ?? ''));
/** @type {string[]} */
const failed = [];
const begun = Date.now();
await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`${failed.length === 0 ? 'all is well' : `failed: ${failed.join(', ')}`}, ${seconds(begun)} s`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function work() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const start = Date.now();
    const { code, printed } = await run(next);
    if (code !== 0) failed.push(next.name);
    console.log(`${code === 0 ? '' : printed}${next.name}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds(start)} s`);
  }
}

/**
 * @param {Step} step
 * @returns {Promise<{ code: number | null, printed: string }>}
 */
async function run({ command, args }) {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, printed })));
}

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @returns {Step}
 */
function step(name, command, ...args) {
  return { name, command, args };
}

/**
 * The compiler looks again only at what changed since its last run.
 *
 * @param {string} folder
 */
function remembering(folder) {
  return ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${folder.replace('/', '-')}.json`];
}

/** @param {number} start */
function seconds(start) {
  return ((Date.now() - start) / 1000).toFixed(1);
}
