import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { exitCodeOf, explain } from './explain-failure.ts';
import { createProgram } from './program.ts';

// A closed log or pipe is no reason to stop collecting. A command's output is lost then, which its exit code reports.
process.stderr.on('error', () => {});
process.stdout.on('error', () => {
  process.exitCode = 1;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has already printed the reason. Help and version are not errors; anything else is a usage error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`${explain(error) ?? defect(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

/** Our own bug: a report needs the stack. */
function defect(error: unknown): string {
  const detail = inspect(error);
  return `lastbyte: unexpected error, please report it.\n${detail}`;
}
