import { readFile } from 'node:fs/promises';
import { CommandFailure } from './failure.ts';

/** A file that a person named. @throws CommandFailure */
export function readText(file: string, hint = 'Check the path and its permissions.'): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(`${file} cannot be read${errorCode(error)}`, hint);
  });
}

/** ` (ENOENT)`, to follow what was tried; empty for an error without a code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${error.code})` : '';
}
