import { Command } from 'commander';
import { printJson, printLines } from '../../lib/print.ts';
import { dataOption } from '../store-option.ts';
import { type Finding, findings } from './findings.ts';
import { type DoctorOptions, gatherFacts } from './gather-facts.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('look at everything a collector needs, and say what to do')
    .option('--collector <url>', 'address of a running collector, to be asked whether it is ready')
    .option('--ca <file>', 'certificate of your own authority, PEM, for its address and that of updates')
    .option('--tls-cert <file>', 'certificate chain of the server, PEM')
    .option('--tls-key <file>', 'its key, PEM')
    .option('--samples <address>', 'ClickHouse with the samples (default: the one that the data folder names)')
    .addOption(dataOption())
    .option('--json', 'print {problems, checks:[{status, code, text, fix}]}')
    .addHelpText('after', '\nExample:\n  lastbyte doctor --data /var/lib/lastbyte')
    .action(async (options: DoctorOptions) => {
      const checks = findings(await gatherFacts(options));
      const problems = checks.filter(({ status }) => status === 'problem').length;
      if (options.json) printJson({ problems, checks });
      else printLines(...checks.map(toLine));
      if (problems > 0) process.exitCode = 1;
    });
}

function toLine({ status, code, text, fix }: Finding): string {
  return `${status.padEnd(8)}${code}: ${text}${fix === null ? '' : `\n        → ${fix}`}`;
}
