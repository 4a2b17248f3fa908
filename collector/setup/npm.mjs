// @ts-check
import path from 'node:path';
import { run } from './run-step.mjs';

/**
 * Runs the npm that started us (its path is in npm_execpath), else the one in PATH. Resolves with the exit code.
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 */
export function npm(args, { cwd, env = process.env }) {
  const cli = process.env.npm_execpath ?? '';
  // `npm run --silent` hands its loglevel down, and a failing install would then not say why.
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', ...args];
  if (path.basename(cli) === 'npm-cli.js') return run(process.execPath, [cli, ...quiet], { cwd, env });
  if (process.platform === 'win32') return run('cmd', ['/d', '/s', '/c', 'npm', ...quiet], { cwd, env });
  return run('npm', quiet, { cwd, env });
}
