import { Command } from 'commander';
import { CommandFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { clockNote } from './clock-command.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

export function checkCommand(): Command {
  return new Command('check')
    .description('check the data folder: intact, and every rollup equal to a rebuild from its samples')
    .addOption(dataOption())
    .option('--repair', 'first make the rollups of days again that are not what their samples give')
    .option('--json', 'print {faults}, with --repair {faults, repaired}')
    .addHelpText('after', '\nExample:\n  lastbyte check')
    .action(async (options: StoreOption & { json?: boolean; repair?: boolean }) => {
      const [repaired, faults, clock] = await withStore(options, async (store) => [
        options.repair ? await store.maintenance.repair() : [],
        await store.maintenance.check(),
        clockNote(await store.clock.status()),
      ]);
      // No damage: what is stored is as it was.
      if (clock !== null) note(clock);
      for (const day of repaired) note(`The rollups of ${day} were made again from its samples.`);
      if (options.json) printJson(options.repair ? { faults, repaired } : { faults });
      else printLines(...faults);
      if (faults.length === 0) note('Everything is as it should be.');
      else
        throw new CommandFailure(
          'the data folder is damaged',
          options.repair
            ? 'Restore a backup; samples in quarantine wait for the next start.'
            : 'Rollups alone are made again by lastbyte check --repair. Else restore a backup; samples in quarantine wait for the next start.',
        );
    });
}
