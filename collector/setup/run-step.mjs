// @ts-check
/** Runs the programs of the set-up. All their output goes to standard error: standard output belongs to the command. */
import { spawn } from 'node:child_process';
import path from 'node:path';

/** A failed step, reported as one line with a second line that says how to fix it. */
export class SetupError extends Error {
  /**
   * @param {string} step such as `install packages`
   * @param {string} problem
   * @param {string} fix the exact command or change
   */
  constructor(step, problem, fix) {
    super(`Set-up step "${step}" failed: ${problem}\n  To fix it: ${fix}`);
    this.name = 'SetupError';
  }
}

/** @param {string} text */
export function say(text) {
  process.stderr.write(`lastbyte set-up: ${text}\n`);
}

/**
 * Resolves with the exit code; -1 if the program could not be started.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, quiet?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { env = process.env, cwd, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { env, cwd, stdio: quiet ? 'ignore' : ['ignore', 2, 2] });
    child.on('error', () => resolve(-1));
    child.on('close', (code) => resolve(code ?? -1));
  });
}

/**
 * Runs the npm that started this process (npm_execpath), else the one in PATH. Resolves with the exit code.
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 */
export function npm(args, { cwd, env = process.env }) {
  const cli = process.env.npm_execpath ?? '';
  // `npm run --silent` passes on its log level, which would hide why an install fails.
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', ...args];
  if (path.basename(cli) === 'npm-cli.js') return run(process.execPath, [cli, ...quiet], { cwd, env });
  if (process.platform === 'win32') return run('cmd', ['/d', '/s', '/c', 'npm', ...quiet], { cwd, env });
  return run('npm', quiet, { cwd, env });
}
