import { Command, Option } from 'commander';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson } from '../lib/print.ts';
import { progressBar } from '../lib/progress-bar.ts';
import type { ErasedBy } from '../storage/store.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

interface EraseOptions extends StoreOption {
  readonly client?: string;
  readonly key?: string;
}

export function eraseCommand(): Command {
  return new Command('erase')
    .description('remove every sample of one browser or of one ingest key, and everything computed from them')
    .addOption(new Option('--client <id>', 'a browser, as the popup of the extension shows it').conflicts('key'))
    .option('--key <id>', 'an ingest key, as lastbyte token list shows it; revoke it first')
    .addOption(dataOption())
    .option('--json', 'print {client or key, samples, days, quarantined}')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte erase --client 4f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b1a09\n  lastbyte erase --key 5f0c1d6e-8f0a-4b52-9a55-3f1f8a4a7c10',
    )
    .action(async ({ json, ...options }: EraseOptions) => {
      const whose = readWhose(options);
      const bar = progressBar();
      const { samples, days, quarantined, isValid } = await withStore(options, async (store) => ({
        ...(await store.maintenance
          .erase(whose, { progress: (part) => bar.show(part, 'days searched') })
          .finally(bar.clear)),
        isValid: 'key' in whose && (await store.tokens.list()).some(({ id }) => id === whose.key),
      }));
      if (isValid && 'key' in whose) {
        note(`The key is still valid. Run lastbyte token revoke ${whose.key}, then erase again.`);
      }
      // A mistyped id must not look erased. Samples in quarantine may be its own.
      if (samples === 0 && quarantined === 0 && !isValid) {
        throw 'client' in whose
          ? new CommandFailure(
              `there is no browser ${whose.client}`,
              'The popup of the extension shows its id, which changes every month; lastbyte export has the column client.',
            )
          : new CommandFailure(
              `there is no key ${whose.key}, and no sample of one`,
              'lastbyte token list shows the ids of keys until they are revoked.',
            );
      }
      if (json) printJson({ ...whose, samples, days, quarantined });
      else if (samples === 0) note(`There are no samples of that ${'key' in whose ? 'key' : 'browser'}.`);
      else
        note(`Removed ${samples} ${samples === 1 ? 'sample' : 'samples'} from ${days} ${days === 1 ? 'day' : 'days'}.`);
      if (quarantined > 0) {
        note(
          `${quarantined} samples in quarantine can't be searched; matching ones are erased when they are released.`,
        );
      }
    });
}

function readWhose({ client, key }: EraseOptions): ErasedBy {
  if (client !== undefined) return { client };
  if (key === '' || key?.startsWith('lb_')) {
    throw new UsageFailure('that is not the id of a key', 'lastbyte token list shows it. It is not the key itself.');
  }
  if (key !== undefined) return { key };
  throw new UsageFailure('there is nothing to erase', 'Give --client ID or --key ID.');
}
