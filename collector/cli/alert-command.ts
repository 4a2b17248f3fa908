import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { VERSION } from '../lib/version.ts';
import { findState, readMemory } from '../monitoring/alerts/alert-memory.ts';
import { testMessage } from '../monitoring/alerts/alert-text.ts';
import { type Attempt, attempt, attemptMail } from '../monitoring/alerts/deliver.ts';
import { currentSettings } from '../storage/current-settings.ts';
import { addOutgoingOptions, type OutgoingOption, toOutgoing } from './network-options.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

export function alertCommand(): Command {
  return new Command('alert')
    .description('test webhooks and mail, and see which alerts are active')
    .addHelpText('after', '\nExample:\n  lastbyte alert test chat')
    .addCommand(testCommand())
    .addCommand(listCommand());
}

interface TestOptions extends StoreOption, OutgoingOption {
  readonly rule?: string;
}

function testCommand(): Command {
  const command = new Command('test')
    .description('send a test to a webhook of the settings, or by mail to the recipients of a rule, from here')
    .argument('[webhook]', 'its id in the settings')
    .option('--rule <id>', 'instead: a rule whose mailTo gets the test');
  return addOutgoingOptions(command)
    .addOption(dataOption())
    .option('--json', 'print {webhook, delivered, status, error}; webhook is mail with --rule')
    .addHelpText('after', '\nExamples:\n  lastbyte alert test chat\n  lastbyte alert test --rule erp-down')
    .action(async (id: string | undefined, options: TestOptions) => {
      if ((id === undefined) === (options.rule === undefined)) {
        throw new UsageFailure('a test goes to one webhook or to one rule', 'Name a webhook, or a rule with --rule.');
      }
      const { settings } = await withStore(options, (store) => currentSettings(store.settings));
      const { name, outcome } =
        id === undefined ? await testMail(settings, options) : await testWebhook(settings, id, options);
      if (options.json) printJson({ webhook: id ?? 'mail', ...outcome });
      if (!outcome.delivered) {
        throw new CommandFailure(
          `the test did not reach ${name} (${outcome.error})`,
          `Check that ${id === undefined ? 'the mail server of the settings' : 'its address'} is correct and reachable.`,
        );
      }
      if (!options.json) note(`${name} accepted it${outcome.status === null ? '' : ` (${outcome.status})`}.`);
    });
}

interface Tested {
  /** Of the recipient, for people. */
  readonly name: string;
  readonly outcome: Attempt;
}

async function testWebhook({ alerts }: Settings, id: string, options: TestOptions): Promise<Tested> {
  const webhooks = alerts?.webhooks ?? [];
  const webhook = webhooks.find((one) => one.id === id);
  if (webhook === undefined) {
    const ids = webhooks.map((one) => one.id).join(', ') || 'none yet';
    throw new UsageFailure(`there is no webhook ${id}`, `The settings have: ${ids}.`);
  }
  const how = { outgoing: toOutgoing(options), id: randomUUID(), version: VERSION };
  return { name: id, outcome: await attempt(webhook, testMessage(Date.now(), alerts), how) };
}

async function testMail({ alerts, reports }: Settings, options: TestOptions): Promise<Tested> {
  const rules = (alerts?.rules ?? []).filter(({ mailTo }) => mailTo !== undefined);
  const to = rules.find(({ id }) => id === options.rule)?.mailTo;
  if (to === undefined) {
    const ids = rules.map(({ id }) => id).join(', ') || 'none yet';
    throw new UsageFailure(`there is no rule ${options.rule} with mailTo`, `The settings have: ${ids}.`);
  }
  if (reports?.mail === undefined) {
    throw new UsageFailure(
      'the settings have no mail server',
      'Add reports.mail, or set it up under Scheduled reports.',
    );
  }
  const now = Date.now();
  const how = { outgoing: toOutgoing(options), id: randomUUID(), now };
  const outcome = await attemptMail({ mail: reports.mail, to, lang: alerts?.lang }, testMessage(now, alerts), how);
  return { name: to.join(', '), outcome };
}

function listCommand(): Command {
  return new Command('list')
    .description('list the state of every rule, and the messages that are still to be delivered')
    .addOption(dataOption())
    .option('--json', 'print {rules, deliveries}')
    .addHelpText('after', '\nExample:\n  lastbyte alert list')
    .action(async (options: StoreOption) => {
      const { rules, states, queue } = await withStore(options, async (store) => ({
        rules: (await currentSettings(store.settings)).settings.alerts?.rules ?? [],
        ...(await readMemory(store.keyValues)),
      }));
      const rows = rules.map(({ id }) => ({ rule: id, ...findState(states, id) }));
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
