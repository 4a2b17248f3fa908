import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { VERSION } from '../lib/version.ts';
import { readMemory, stateOf } from '../monitoring/alerts/alert-memory.ts';
import { testMessage } from '../monitoring/alerts/alert-text.ts';
import { attempt } from '../monitoring/alerts/deliver.ts';
import { currentSettings } from '../storage/current-settings.ts';
import { addOutgoingOptions, type OutgoingOption, outgoingOf } from './network-options.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

interface JsonOption extends StoreOption {
  readonly json?: boolean;
}

export function alertCommand(): Command {
  return new Command('alert')
    .description('test webhooks, and see which alerts are active')
    .addHelpText('after', '\nExample:\n  lastbyte alert test chat')
    .addCommand(testCommand())
    .addCommand(listCommand());
}

function testCommand(): Command {
  const command = new Command('test')
    .description('send a test to a webhook of the settings, from here')
    .argument('<webhook>', 'its id in the settings');
  return addOutgoingOptions(command)
    .addOption(dataOption())
    .option('--json', 'print {webhook, delivered, status, error}')
    .addHelpText('after', '\nExample:\n  lastbyte alert test chat')
    .action(async (id: string, options: JsonOption & OutgoingOption) => {
      const { settings } = await withStore(options, (store) => currentSettings(store.settings));
      const webhooks = settings.alerts?.webhooks ?? [];
      const webhook = webhooks.find((one) => one.id === id);
      if (webhook === undefined) {
        const ids = webhooks.map((one) => one.id).join(', ') || 'none yet';
        throw new UsageFailure(`there is no webhook ${id}`, `The settings have: ${ids}.`);
      }
      const outcome = await attempt(webhook, testMessage(Date.now(), settings.alerts), {
        outgoing: outgoingOf(options),
        id: randomUUID(),
        version: VERSION,
      });
      if (options.json) printJson({ webhook: id, ...outcome });
      if (!outcome.delivered) {
        throw new CommandFailure(
          `the test did not reach ${id} (${outcome.error})`,
          'Check that its address is correct and reachable.',
        );
      }
      if (!options.json) note(`${id} accepted it (${outcome.status}).`);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('list the state of every rule, and the messages that are still to be delivered')
    .addOption(dataOption())
    .option('--json', 'print {rules, deliveries}')
    .addHelpText('after', '\nExample:\n  lastbyte alert list')
    .action(async (options: JsonOption) => {
      const { rules, states, queue } = await withStore(options, async (store) => ({
        rules: (await currentSettings(store.settings)).settings.alerts?.rules ?? [],
        ...(await readMemory(store.keyValues)),
      }));
      const rows = rules.map(({ id }) => ({ rule: id, ...stateOf(states, id) }));
      if (options.json) return printJson({ rules: rows, deliveries: queue });
      if (rows.length === 0) note('There are no rules yet; docs/alerts.md shows one.');
      for (const { rule, on, value, n } of rows) {
        printLines(`${rule}  ${on ? 'ON ' : 'off'}  ${value === null ? 'too few samples' : value}  ${n} samples`);
      }
      for (const { webhook, attempts, error } of queue) {
        note(`A message to ${webhook} has not been delivered yet, ${attempts} attempts: ${error ?? 'due'}`);
      }
    });
}
