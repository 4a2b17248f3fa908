#!/usr/bin/env node
// @ts-check
/**
 * `npx lastbyte serve|demo|… [arguments]` in a clone or an installed package, and `node collector/setup/bootstrap.mjs test|test-long|test-nightly|bench|run FILE`
 * for the scripts of package.json: a clone sets up what the command needs (a current Node, packages, the build, browsers), then runs it,
 * which takes only Node 18 and npm, and works offline if everything is installed. A package has all of it inside.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildStep } from './build-if-stale.mjs';
import { takeBrowser } from './command-line.mjs';
import { BROWSER_KINDS } from './find-browser.mjs';
import { packagesStep } from './install-packages.mjs';
import { browsersOfDemo, browsersStep } from './provide-browsers.mjs';
import { isSupported, nodeStep, tooOld } from './provide-node.mjs';
import { SetupError } from './run-step.mjs';
import { withLock } from './setup-lock.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const LOCK = path.join(tmpdir(), `lastbyte-set-up-${process.getuid?.() ?? 'user'}.lock`);

const IS_CLONE = existsSync(path.join(ROOT, 'esbuild.config.mjs'));

try {
  if (isSupported(process.versions.node)) await (IS_CLONE ? runCommand : runBuilt)(process.argv.slice(2));
  else if (IS_CLONE) await runWithNewerNode();
  else throw tooOld('it runs with this one');
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** This file again, with a Node that comes first in PATH, so that everything it starts runs with it too. */
async function runWithNewerNode() {
  const step = nodeStep(ROOT);
  await inTurn(step);
  const PATH = [path.dirname(step.program), process.env.PATH ?? ''].join(path.delimiter);
  return runProgram(step.program, process.argv.slice(1), { cwd: process.cwd(), env: { ...process.env, PATH } });
}

/** @param {readonly string[]} words */
async function runCommand([command = '', ...args]) {
  if (command === 'test') {
    const { browser, rest } = takeBrowser(args);
    await setUp(browser === null ? BROWSER_KINDS : [browser]);
    const only = browser === null ? {} : { LASTBYTE_BROWSERS: browser };
    return runNode('node_modules/vitest/vitest.mjs', ['run', ...rest], only);
  }
  if (command === 'test-long' || command === 'test-nightly') {
    await setUp(BROWSER_KINDS);
    const nightly = { LASTBYTE_TEST_NIGHTLY: command === 'test-nightly' ? '1' : '0' };
    return runNode('node_modules/vitest/vitest.mjs', ['run', '--config', 'vitest.long.config.ts', ...args], nightly);
  }
  if (command === 'bench') {
    await setUp([]);
    return runNode('--expose-gc', ['tests/bench/bench.ts', ...args], {});
  }
  if (command === 'run') {
    await inTurn(packagesStep(ROOT));
    return runNode(args[0] ?? '', args.slice(1), {});
  }
  const wantsHelp = args.includes('--help') || args.includes('-h');
  await setUp(command === 'demo' && !wantsHelp ? browsersOfDemo(takeBrowser(args).browser) : []);
  await runBuilt([command, ...args]);
}

/**
 * In this process: signals, exit code and standard output are the command's own.
 * @param {readonly string[]} args
 */
async function runBuilt(args) {
  const built = path.join(ROOT, 'dist/lastbyte.mjs');
  process.argv = [process.execPath, built, ...args];
  await import(pathToFileURL(built).href);
}

/** @param {readonly ('chromium' | 'firefox')[]} browsers */
async function setUp(browsers) {
  for (const step of [packagesStep(ROOT), buildStep(ROOT), browsersStep(browsers)]) await inTurn(step);
}

/** @param {{ isNeeded: () => Promise<boolean>, run: () => Promise<void> }} step */
async function inTurn(step) {
  if (!(await step.isNeeded())) return;
  await withLock(LOCK, async () => {
    if (await step.isNeeded()) await step.run();
  });
}

/**
 * @param {string} script below the repository, or an option of Node
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} extra
 */
async function runNode(script, args, extra) {
  return runProgram(process.execPath, [script, ...args], { cwd: ROOT, env: { ...process.env, ...extra } });
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
async function runProgram(program, args, options) {
  const child = spawn(program, [...args], { ...options, stdio: 'inherit' });
  // A terminal also sends Ctrl-C to the child, which then exits, and its exit code is ours. Others signal this process alone.
  process.on('SIGINT', () => {});
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)));
  });
}
