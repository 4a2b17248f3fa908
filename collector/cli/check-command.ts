import { Command } from 'commander';
import { clockNote } from './clock-command.ts';
import { CommandFailure } from './failure.ts';
import { note, printJson, printLines } from './print.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

export function checkCommand(): Command {
  return new Command('check')
    .description('check the data folder: intact, and every rollup equal to a rebuild from its samples')
    .addOption(dataOption())
    .option('--json', 'print {faults}')
    .addHelpText('after', '\nExample:\n  lastbyte check')
    .action(async (options: StoreOption & { json?: boolean }) => {
      const [faults, clock] = await withStore(options, async (store) => [
        await store.upkeep.check(),
        clockNote(await store.clock.status()),
      ]);
      // No damage: what is stored is as it was.
      if (clock !== null) note(clock);
      if (options.json) printJson({ faults });
      else printLines(...faults);
      if (faults.length === 0) note('Everything is as it should be.');
      else
        throw new CommandFailure(
          'the data folder is damaged',
          'Restore a backup; samples in quarantine wait for the next start.',
        );
    });
}
