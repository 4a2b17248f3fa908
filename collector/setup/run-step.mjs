// @ts-check
/** Runs the programs of the set-up. All their output goes to standard error: standard output is the command's own. */
import { spawn } from 'node:child_process';

/** A step that failed, told as one line and the line that fixes it. */
export class SetupError extends Error {
  /**
   * @param {string} step what was tried, such as `install packages`
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
 * Resolves with the exit code; -1 where the program could not be started.
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
