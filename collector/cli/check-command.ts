import { Command } from 'commander';
import { CommandFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { clockNote } from './clock-command.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

export function checkCommand(): Command {
  return new Command('check')
    .description('check that the data folder is intact and every rollup equals a rebuild from its samples')
    .addOption(dataOption())
    .option('--repair', 'first rebuild the rollups of days that differ from their samples')
    .option('--json', 'print {faults}, with --repair {faults, repaired}')
    .addHelpText('after', '\nExample:\n  lastbyte check')
    .action(async (options: StoreOption & { repair?: boolean }) => {
      const [repaired, faults, clock] = await withStore(options, async (store) => {
        const { maintenance } = store;
        return [
          options.repair ? await maintenance.repair() : [],
          await maintenance.check(),
          clockNote(await store.clock.status()),
        ];
      });
      // Not damage: the stored data are intact.
      if (clock !== null) note(clock);
      for (const day of repaired) note(`Rebuilt the rollups of ${day} from its samples.`);
      if (options.json) printJson({ faults, ...(options.repair ? { repaired } : {}) });
      else printLines(...faults);
      if (faults.length === 0) note('Everything is in order.');
      else
        throw new CommandFailure(
          'the data folder is damaged',
          options.repair
            ? 'Restore a backup; samples in quarantine wait for the next start.'
            : 'If only rollups are damaged, run lastbyte check --repair. Otherwise restore a backup; samples in quarantine wait for the next start.',
        );
    });
}
