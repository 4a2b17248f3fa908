import { Command } from 'commander';
import { note, printJson } from './print.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

export function eraseCommand(): Command {
  return new Command('erase')
    .description('remove every sample of one browser, and what was computed from them')
    .requiredOption('--client <id>', 'as the popup of the extension shows it')
    .addOption(dataOption())
    .option('--json', 'print {client, samples, days, quarantined}')
    .addHelpText('after', '\nExample:\n  lastbyte erase --client 4f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b1a09')
    .action(async ({ client, json, ...options }: StoreOption & { client: string; json?: boolean }) => {
      const { samples, days, quarantined } = await withStore(options, (store) => store.upkeep.erase(client));
      if (json) printJson({ client, samples, days, quarantined });
      else
        note(samples === 0 ? 'There are no samples of that browser.' : `Removed ${samples} samples of ${days} days.`);
      if (quarantined > 0) {
        note(
          `${quarantined} samples in quarantine can't be searched; what is this browser's goes if they are released.`,
        );
      }
    });
}
