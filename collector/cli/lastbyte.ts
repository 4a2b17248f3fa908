import { runCommand } from './run-command.ts';

// A closed log or pipe is no reason to stop collecting. A command's output is lost then, which its exit code reports.
process.stderr.on('error', () => {});
process.stdout.on('error', () => {
  process.exitCode = 1;
});

process.exitCode = (await runCommand(process.argv.slice(2))) ?? process.exitCode;
