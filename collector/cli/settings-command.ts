import { resolve } from 'node:path';
import { Command } from 'commander';
import { CommandFailure } from '../lib/failure.ts';
import { note, printJson } from '../lib/print.ts';
import { currentSettings } from '../storage/current-settings.ts';
import type { Store } from '../storage/store.ts';
import { readSettingsFile, validateSettingsFile } from './read-settings-file.ts';
import { createOption, dataOption, type StoreOption, withStore } from './store-option.ts';

export function settingsCommand(): Command {
  return new Command('settings')
    .description('show, check and apply the one settings document')
    .addHelpText('after', '\nExample:\n  lastbyte settings apply settings.json')
    .addCommand(showCommand())
    .addCommand(checkCommand())
    .addCommand(applyCommand());
}

function showCommand(): Command {
  return new Command('show')
    .description('print the current settings, ready for settings apply')
    .addOption(dataOption())
    .option('--json', 'the same: the document is JSON already')
    .addHelpText('after', '\nExample:\n  lastbyte settings show > settings.json')
    .action(async (options: StoreOption) => {
      const { revision, document } = await withStore(options, (store) => currentSettings(store.settings));
      printJson(document);
      note(revision === 0 ? 'No settings have been applied yet.' : `Revision ${revision}.`);
    });
}

function checkCommand(): Command {
  return new Command('check')
    .description('check whether a file is a valid settings document; - reads standard input')
    .argument('<file>')
    .option('--json', 'print {ok, targets} or {ok, problems}')
    .addHelpText('after', '\nExample:\n  lastbyte settings check settings.json')
    .action(async (file: string, options: Pick<StoreOption, 'json'>) => {
      if (options.json) {
        const verdict = await validateSettingsFile(file);
        printJson(verdict.ok ? { ok: true, targets: verdict.settings.targets.length } : verdict);
        process.exitCode = verdict.ok ? 0 : 1;
        return;
      }
      const { targets } = await readSettingsFile(file);
      note(`${file} is valid: ${targets.length} target${targets.length === 1 ? '' : 's'}.`);
    });
}

function applyCommand(): Command {
  return new Command('apply')
    .description('apply a settings document; a running server and its browsers follow')
    .argument('<file>')
    .addOption(dataOption())
    .addOption(createOption())
    .option('--json', 'print {revision}')
    .addHelpText('after', '\nExample:\n  lastbyte settings apply settings.json')
    .action(async (file: string, options: StoreOption) => {
      const settings = await readSettingsFile(file);
      const write = async (store: Store) => {
        const newest = (await store.settings.read())?.revision ?? null;
        return store.settings.write(settings, newest, Date.now(), 'command line');
      };
      const written = await withStore(options, write);
      if (written === null) {
        throw new CommandFailure('someone else changed the settings in the meantime', 'Look at them and try again.');
      }
      if (options.json) printJson({ revision: written.revision });
      else note(`Applied as revision ${written.revision} in ${resolve(options.data)}.`);
    });
}
