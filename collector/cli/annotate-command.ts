import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { annotate, annotationDocument } from '../http/annotate.ts';
import { ANNOTATION_FIELDS, MAX_ANNOTATION_TEXT } from '../http/schemas/annotation-fields.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { parseTime, readHost } from '../questions/query-string.ts';
import { MAX_ANNOTATIONS } from '../storage/store.ts';
import { addRangeOptions, checkZone, momentText, type RangeOption, rangeParameters } from './range-option.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

interface AddOptions extends StoreOption {
  readonly at?: string;
  readonly until?: string;
  readonly zone?: string;
  readonly app?: string;
  readonly host?: string;
}

const EXAMPLE = 'lastbyte annotate "release 4.2" --at 2026-11-03T09:30:00Z --app erp';
const FIELDS = Type.Object(ANNOTATION_FIELDS);

export function annotateCommand(): Command {
  return new Command('annotate')
    .description('note what happened at a moment, such as a release')
    .addHelpText('after', `\nExample:\n  ${EXAMPLE}\n  lastbyte annotate list --last 30d`)
    .addCommand(addCommand(), { isDefault: true })
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

function addCommand(): Command {
  return new Command('add')
    .description('add a note; the word add may be left out')
    .argument('<text>', `what happened, up to ${MAX_ANNOTATION_TEXT} characters`)
    .option('--at <time>', 'RFC 3339, or a date: its local midnight; default now')
    .option('--until <time>', 'the same: when it ended; a moment if left out')
    .option('--zone <zone>', 'time zone in which dates begin; default UTC')
    .option('--app <id>', 'the app that it is about, by its id in the settings; default all')
    .option('--host <host>', 'the host that it is about; default all')
    .addOption(dataOption())
    .option('--json', 'print {id, at, until, text, target, host, author, createdAt}')
    .addHelpText('after', `\nExample:\n  ${EXAMPLE}`)
    .action(add);
}

async function add(text: string, options: AddOptions): Promise<void> {
  const { app = null, host } = options;
  checkZone(options);
  const time = (name: 'at' | 'until') => {
    const given = options[name];
    return given === undefined ? null : parseTime(`--${name}`, momentText(given, options.zone));
  };
  const said = { text, ...(host === undefined ? {} : { host }) };
  if (!Value.Check(FIELDS, said)) {
    throw new UsageFailure(
      'this is not a text and a host that an annotation can have',
      `Write a text of 1 to ${MAX_ANNOTATION_TEXT} characters that can all be seen, and a host without a port.`,
    );
  }
  const now = Date.now();
  const annotation = {
    id: randomUUID(),
    at: time('at') ?? now,
    until: time('until'),
    text: text.normalize('NFC'),
    target: app,
    host: host === undefined ? null : readHost('--host', host),
    author: 'command line',
    createdAt: now,
  };
  const outcome = await withStore(options, (store) => annotate(store, annotation));
  if (outcome === 'ends_before_it_begins') {
    throw new UsageFailure('--until is not after --at', 'Leave it out for a moment.');
  }
  if (outcome === 'unknown_target') {
    throw new UsageFailure(`there is no app ${app}`, 'See the ids of the targets with: lastbyte settings show');
  }
  if (outcome === 'full') {
    throw new CommandFailure(
      `there are already ${MAX_ANNOTATIONS} annotations`,
      'Remove old ones first: lastbyte annotate remove ID',
    );
  }
  if (options.json) printJson(annotationDocument(annotation));
  else note(`Noted at ${annotationDocument(annotation).at}. Remove it with: lastbyte annotate remove ${annotation.id}`);
}

function listCommand(): Command {
  return addRangeOptions(new Command('list').description('list notes in order of time'), 'the first')
    .option('--zone <zone>', 'time zone in which dates begin; default UTC')
    .addOption(dataOption())
    .option('--json', 'print [{id, at, until, text, target, host, author, createdAt}]')
    .addHelpText('after', '\nExample:\n  lastbyte annotate list --last 30d')
    .action(async (options: StoreOption & RangeOption) => {
      checkZone(options);
      const { from, to } = rangeParameters(options, Date.now());
      const range = {
        from: from === undefined ? null : parseTime('--from', from),
        to: to === undefined ? null : parseTime('--to', to),
      };
      const rows = (await withStore(options, (store) => store.annotations.list(range))).map(annotationDocument);
      if (options.json) printJson(rows);
      else if (rows.length === 0) note(`There are no annotations. Add one with: ${EXAMPLE}`);
      else {
        printLines(
          ...rows.map(({ id, at, until, text, target, host }) =>
            [id, until === null ? at : `${at}–${until}`, target ?? '', host ?? '', text].filter(Boolean).join('  '),
          ),
        );
      }
    });
}

function removeCommand(): Command {
  return new Command('remove')
    .description('remove a note')
    .argument('<id>', 'as shown by annotate list')
    .addOption(dataOption())
    .option('--json', 'print {id, removed}')
    .addHelpText('after', '\nExample:\n  lastbyte annotate remove 5f0c1d6e-8f0a-4b52-9a55-3f1f8a4a7c10')
    .action(async (id: string, options: StoreOption) => {
      const removed = await withStore(options, (store) => store.annotations.remove(id));
      if (!removed) throw new CommandFailure(`there is no annotation ${id}`, 'See lastbyte annotate list');
      if (options.json) printJson({ id, removed });
      else note(`Removed ${id}.`);
    });
}
