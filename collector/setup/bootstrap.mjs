// @ts-check
/**
 * `node collector/setup/bootstrap.mjs demo|test|test-long|bench|serve|… [arguments]`: sets up what the command needs (packages,
 * the build, browsers), then runs it. Needs only Node. Works offline if everything is installed.
 */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildStep } from './build-if-stale.mjs';
import { checkNode } from './check-node.mjs';
import { takeBrowser } from './command-line.mjs';
import { BROWSER_KINDS } from './find-browser.mjs';
import { packagesStep } from './install-packages.mjs';
import { browsersOfDemo, browsersStep } from './provide-browsers.mjs';
import { SetupError } from './run-step.mjs';
import { withLock } from './setup-lock.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const LOCK = path.join(tmpdir(), `lastbyte-set-up-${process.getuid?.() ?? 'user'}.lock`);

try {
  checkNode(process.versions.node);
  const [command = '', ...args] = process.argv.slice(2);
  await runCommand(command, args);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
async function runCommand(command, args) {
  if (command === 'test') {
    const { browser, rest } = takeBrowser(args);
    await setUp(browser === null ? BROWSER_KINDS : [browser]);
    const only = browser === null ? {} : { LASTBYTE_BROWSERS: browser };
    return runNode('node_modules/vitest/vitest.mjs', ['run', ...rest], only);
  }
  if (command === 'test-long') {
    await setUp(BROWSER_KINDS);
    return runNode('node_modules/vitest/vitest.mjs', ['run', '--config', 'vitest.long.config.ts', ...args], {});
  }
  if (command === 'bench') {
    await setUp([]);
    return runNode('tests/bench/run-bench.mjs', args, {});
  }
  const wantsHelp = args.includes('--help') || args.includes('-h');
  await setUp(command === 'demo' && !wantsHelp ? browsersOfDemo(takeBrowser(args).browser) : []);
  // In this process: signals, exit code and standard output are the command's own.
  const built = path.join(ROOT, 'dist/lastbyte.mjs');
  process.argv = [process.execPath, built, command, ...args];
  await import(pathToFileURL(built).href);
}

/** @param {readonly ('chromium' | 'firefox')[]} browsers */
async function setUp(browsers) {
  for (const step of [packagesStep(ROOT), buildStep(ROOT), browsersStep(browsers)]) {
    if (!(await step.isNeeded())) continue;
    await withLock(LOCK, async () => {
      if (await step.isNeeded()) await step.run();
    });
  }
}

/**
 * @param {string} script below the repository
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} extra
 */
async function runNode(script, args, extra) {
  const child = spawn(process.execPath, [path.join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...extra },
    stdio: 'inherit',
  });
  // A terminal also sends Ctrl-C to the child, which then exits, and its exit code is ours.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}
