import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { isPlainText, UNSEEN_FAULT, UNSEEN_HINT } from '../../shared/vocabulary/plain-text.ts';
import { MAX_LABEL_LENGTH, makeToken } from '../http/auth/token-text.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { ROLES, type Role } from '../storage/store.ts';
import { createOption, dataOption, type StoreOption, withStore } from './store-option.ts';

export function tokenCommand(): Command {
  return new Command('token')
    .description('create, list and revoke the tokens of browsers and people')
    .addHelpText('after', '\nExample:\n  lastbyte token create --role ingest --label "sales laptops"')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('create a token; it is shown only once')
    .addOption(
      new Option('--role <role>', 'ingest for browsers; read or admin for people').choices(ROLES).makeOptionMandatory(),
    )
    .option('--label <text>', 'what it is for, shown by token list', '')
    .addOption(dataOption())
    .addOption(createOption())
    .option('--json', 'print {id, role, token}')
    .addHelpText('after', '\nExample:\n  lastbyte token create --role ingest --label "sales laptops"')
    .action(async (options: StoreOption & { role: Role; label: string }) => {
      if (options.label.length > MAX_LABEL_LENGTH || !isPlainText(options.label)) {
        const fault =
          options.label.length > MAX_LABEL_LENGTH ? `is longer than ${MAX_LABEL_LENGTH} characters` : UNSEEN_FAULT;
        throw new UsageFailure(`--label ${fault}`, UNSEEN_HINT);
      }
      const { stored, token } = makeToken(options.role, options.label, Date.now());
      await withStore(options, (store) => store.tokens.create(stored));
      if (options.json) printJson({ id: stored.id, role: stored.role, token });
      else {
        printLines(token);
        note(`It is valid for the collector with the data in ${resolve(options.data)}.`);
        note(`Save it now: only its hash is stored. Revoke it with: lastbyte token revoke ${stored.id}`);
      }
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('list tokens, without their secrets')
    .addOption(dataOption())
    .option('--json', 'print [{id, role, label, createdAt}]')
    .addHelpText('after', '\nExample:\n  lastbyte token list')
    .action(async (options: StoreOption) => {
      const tokens = await withStore(options, (store) => store.tokens.list());
      const rows = tokens.map(({ id, role, label, createdAt }) => ({
        id,
        role,
        label,
        createdAt: new Date(createdAt).toISOString(),
      }));
      if (options.json) printJson(rows);
      else if (rows.length === 0) note('There are no tokens yet. Create one with: lastbyte token create --role ingest');
      else
        printLines(...rows.map((row) => `${row.id}  ${row.role.padEnd(6)}  ${row.createdAt}  ${row.label}`.trimEnd()));
    });
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revoke a token and every session opened with it, at once')
    .argument('<id>', 'as shown by token list')
    .addOption(dataOption())
    .option('--json', 'print {id, revoked}')
    .addHelpText('after', '\nExample:\n  lastbyte token revoke 5f0c1d6e-8f0a-4b52-9a55-3f1f8a4a7c10')
    .action(async (id: string, options: StoreOption) => {
      const revoked = await withStore(options, (store) => store.tokens.revoke(id));
      if (!revoked) throw new CommandFailure(`there is no token ${id}`, 'See lastbyte token list');
      if (options.json) printJson({ id, revoked });
      else note(`Revoked ${id}.`);
    });
}
