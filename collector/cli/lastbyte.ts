import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { exitCodeOf, explain } from './failure.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has said what was wrong already: help and version are no error, anything else is a usage error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`${explain(error) ?? defect(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

/** The stack is what a report needs; only defects of ours get here. */
function defect(error: unknown): string {
  const detail = inspect(error);
  return `lastbyte: unexpected error, please report it.\n${detail}`;
}
