import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { OutgoingFailure } from '../outgoing/outgoing-failure.ts';
import { QueryError } from '../questions/query-string.ts';
import { StoreError } from '../storage/store-error.ts';
import { installDriver } from './install-driver.ts';
import { createProgram } from './program.ts';

/**
 * Runs `lastbyte` with these arguments to its end; `serve` returns once it listens.
 *
 * @returns its exit code; null if the command didn't fail, and may have set one
 */
export async function runCommand(args: readonly string[]): Promise<number | null> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    // Commander has already printed the reason. Help and version are not errors; anything else is a usage error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${explain(error) ?? defect(error)}\n`);
    return toExitCode(error);
  }
}

/** One line without a stack for errors that users can fix; null for our own bugs. */
export function explain(error: unknown): string | null {
  if (error instanceof StoreError && error.code === 'store_failed') return null;
  if (
    error instanceof CommandFailure ||
    error instanceof StoreError ||
    error instanceof QueryError ||
    error instanceof OutgoingFailure
  ) {
    return `lastbyte: ${error.message}. ${error.hint}`;
  }
  return explainMissing(error as { readonly code?: string; readonly message?: string });
}

/** Libraries that drive browsers are not installed with Lastbyte: a collector needs none. */
function explainMissing({ code, message = '' }: { readonly code?: string; readonly message?: string }): string | null {
  const missing = Object.entries(manifest.peerDependencies).find(([name]) => message.includes(`'${name}'`));
  if (code !== 'ERR_MODULE_NOT_FOUND' || missing === undefined) return null;
  const [name, version] = missing;
  const command = installDriver(`${name}@${version}`, process.cwd());
  return `lastbyte: this command drives a browser by ${name}, which is not installed. Install it beside Lastbyte: ${command}`;
}

export function toExitCode(error: unknown): 1 | 2 {
  return error instanceof UsageFailure || error instanceof QueryError ? 2 : 1;
}

/** Our own bug: a report needs the stack. */
function defect(error: unknown): string {
  const detail = inspect(error);
  return `lastbyte: unexpected error, please report it.\n${detail}`;
}
