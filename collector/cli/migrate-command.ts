import { Command } from 'commander';
import { note, printJson } from '../lib/print.ts';
import { progressBar } from '../lib/progress-bar.ts';
import { migrateSamples, parseClickHouseAddress } from '../storage/open-store.ts';
import { checkAddress, dataOption, refusedClusterOption, type StoreOption } from './store-option.ts';

interface MigrateOptions extends StoreOption {
  readonly to: string;
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('copy the samples of a data folder to ClickHouse, also while its server runs, and compare them')
    .requiredOption(
      '--to <address>',
      'clickhouse://user@ch1:8123/lastbyte, an empty database; its password in LASTBYTE_CLICKHOUSE_PASSWORD',
    )
    .addOption(refusedClusterOption())
    .addOption(dataOption())
    .option('--json', 'print {samples, days, finished, quarantined, leftRollups}')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte migrate --to clickhouse://lastbyte@ch1:8123/lastbyte\n\nRun it while the server runs, then stop the server and run it again: the second run copies the rest, compares every hour\nand moves the data folder to ClickHouse. Then start the server with --samples and the same address.',
    )
    .action(migrate);
}

async function migrate({ data, to, json }: MigrateOptions): Promise<void> {
  const address = parseClickHouseAddress(to, process.env.LASTBYTE_CLICKHOUSE_PASSWORD);
  await checkAddress('--to', address.url);
  const bar = progressBar();
  const moved = await migrateSamples({
    folder: data,
    to: address,
    clock: Date.now,
    onNotice: (text) => note(`lastbyte: ${text}`),
    progress: (part) => bar.show(part, 'days copied and compared'),
  }).finally(bar.clear);
  const { samples, days, finished, quarantined, leftRollups } = moved;
  if (json) printJson(moved);
  else if (finished)
    note(
      `${samples} samples (days: ${days}) are in ClickHouse, equal hour by hour, and no longer in ${data}.`,
      `Start the server with --samples ${to}`,
    );
  else
    note(
      `${samples} samples (days: ${days}) are copied. The server goes on collecting in ${data}.`,
      'Stop it and run the command again to copy the rest and move the data folder.',
    );
  if (quarantined > 0) note(`${quarantined} samples in quarantine are not copied; they stay in ${data}.`);
  const { hour, day, month } = leftRollups;
  if (hour + day + month > 0) {
    note(
      `Rollups of ${hour} hours, ${day} days and ${month} months are older than the samples and are not copied: no answer from ClickHouse has them. They stay in ${data}.`,
    );
  }
}
