import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { exitCodeOf, explain } from './explain-failure.ts';
import { createProgram } from './program.ts';

// A log or a pipe that can't be written any more is no reason to stop collecting. What a command was to print is lost
// then, and its exit code says so.
process.stderr.on('error', () => {});
process.stdout.on('error', () => {
  process.exitCode = 1;
});

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
