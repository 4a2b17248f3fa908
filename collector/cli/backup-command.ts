import { Command } from 'commander';
import { note, printJson } from '../lib/print.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('copy the data folder into one file, while the server runs')
    .argument('<file>', 'file to write; must not exist yet')
    .addOption(dataOption())
    .option('--json', 'print {file}')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte backup /backup/lastbyte.sqlite\n\nTo restore: stop the server and put the file into an empty data folder as lastbyte.sqlite.',
    )
    .action(async (file: string, options: StoreOption) => {
      const isForwarding = await withStore(options, async ({ maintenance }) => {
        await maintenance.backup(file);
        return (await maintenance.backlog()) !== null;
      });
      if (options.json) printJson({ file });
      else note(`Copied to ${file}.${isForwarding ? ' Samples in ClickHouse are not in it: see docs/scale.md.' : ''}`);
    });
}
