import { stat } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { readRetention } from '../../shared/settings/read-retention.ts';
import { HAR_FAULTS, type HarFault } from '../exchange/import/har-timing-entry.ts';
import { type ImportedHar, importHar, NoHar, syntaxText } from '../exchange/import/import-har.ts';
import { createNameBounds } from '../ingest/bounds/name-bounds.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson } from '../lib/print.ts';
import { progressBar } from '../lib/progress-bar.ts';
import { stopSignal } from '../lib/stop-signal.ts';
import { siteLabel } from '../rollout/package/check-enrolment.ts';
import { currentSettings } from '../storage/current-settings.ts';
import type { Store } from '../storage/store.ts';
import { checkZone } from './range-option.ts';
import { dataOption, type StoreOption, withStore } from './store-option.ts';

const DAY_MS = 86_400_000;

interface ImportOptions extends StoreOption {
  readonly label?: string;
  readonly target?: string;
  readonly site: string;
  readonly zone?: string;
}

interface FileResult extends ImportedHar {
  readonly file: string;
  /** Why the file as a whole could not be read; null if it could. */
  readonly error: string | null;
}

export function importCommand(): Command {
  return new Command('import')
    .description('import recordings of other tools, kept apart from users’ samples')
    .addHelpText('after', '\nExample:\n  lastbyte import har --label before-move old.har')
    .addCommand(harCommand());
}

function harCommand(): Command {
  return new Command('har')
    .description('HAR files of developer tools, sitespeed.io and the like; .har.gz too')
    .argument('<files...>')
    .option('--label <word>', 'name of the recordings: their source is har-LABEL, without it har', parseLabel)
    .option('--target <id>', 'assign everything to this target (default: according to the addresses)')
    .option('--site <label>', 'where they were recorded', '')
    .option('--zone <zone>', 'time zone of times that name none (default: refuse them)')
    .addOption(dataOption())
    .option('--json', 'print [{file, entries, accepted, duplicates, unreadable, reasons, faults, syntax, error, …}]')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte import har --label before-move old.har\n\nTo see them: --filter source=har-before-move',
    )
    .action(importFiles);
}

async function importFiles(files: readonly string[], options: ImportOptions): Promise<void> {
  checkZone(options);
  const results = await withStore(options, async (store) => {
    const { settings } = await currentSettings(store.settings);
    const { target = null, label } = options;
    const site = siteLabel(options.site);
    if (target !== null && !settings.targets.some(({ id }) => id === target)) {
      const ids = settings.targets.map(({ id }) => id).join(', ') || 'none yet';
      throw new UsageFailure(`there is no target ${target}`, `Targets of the settings: ${ids}.`);
    }
    if (target === null && settings.targets.length === 0) {
      throw new CommandFailure(
        'the settings have no target yet',
        'Apply some first: only samples of a target are stored.',
      );
    }
    const names = createNameBounds();
    names.configure(new Map(settings.targets.map(({ id }) => [id, new Set()])));
    const shared = {
      targets: settings.targets,
      target,
      site,
      source: label === undefined ? 'har' : `har-${label}`,
      zone: options.zone ?? null,
      samples: store.samples,
      names,
      keptFrom: await store.maintenance.keptFrom(),
      now: Date.now(),
      signal: stopSignal(),
    };
    const done: FileResult[] = [];
    for (const file of files) done.push(await importFile(file, shared));
    await rollUp(store, done);
    warnOfRetention(done, readRetention(settings).sampleDays, shared.now);
    return done;
  });
  if (options.json) printJson(results.map(forJson));
  else for (const result of results) print(result);
  const useless = results.filter(({ accepted, duplicates }) => accepted + duplicates === 0);
  if (useless.length === 0) return;
  throw new CommandFailure(
    `nothing was imported from ${useless.map(({ file }) => file).join(', ')}`,
    'Each reason is listed above.',
  );
}

type Shared = Omit<Parameters<typeof importHar>[1], 'progress'>;

async function importFile(file: string, shared: Shared): Promise<FileResult> {
  const nothing = {
    ...{ entries: 0, accepted: 0, duplicates: 0, unreadable: 0, faults: [], reasons: {} },
    ...{ syntax: null, pageTimings: 0, oldest: null },
  };
  const bar = progressBar();
  try {
    const { size } = await stat(file);
    const progress = (bytes: number) => bar.show(bytes / Math.max(1, size), file);
    return { file, error: null, ...(await importHar(file, { ...shared, progress })) };
  } catch (error) {
    const why = reasonOf(error);
    if (why === null) throw error;
    return { file, error: why, ...nothing };
  } finally {
    bar.clear();
  }
}

/** Why this file could not be read; null if the cause is not the file. */
function reasonOf(error: unknown): string | null {
  if (error instanceof NoHar) return `it is not a HAR: ${error.message}`;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (error.code.startsWith('Z_')) return 'it is not valid gzip';
  return 'syscall' in error ? `it cannot be read (${error.code})` : null;
}

/** Done here: a running server would do it only later. */
async function rollUp(store: Store, done: readonly FileResult[]): Promise<void> {
  if (done.some(({ accepted }) => accepted > 0)) await store.maintenance.finalize(Date.now());
}

function warnOfRetention(done: readonly FileResult[], sampleDays: number, now: number): void {
  const oldest = Math.min(...done.map((one) => one.oldest ?? Number.POSITIVE_INFINITY));
  if (oldest >= now - sampleDays * DAY_MS) return;
  note(
    `The oldest sample is from ${new Date(oldest).toISOString().slice(0, 10)}; samples are kept for ${sampleDays} days here.`,
    'A server on this folder will remove older ones and keep only their rollups; raise retention.sampleDays to keep them.',
  );
}

function forJson({ oldest, faults, ...result }: FileResult) {
  return { ...result, faults: faults.map(({ entry, reason }) => ({ entry, reason })), oldest };
}

function print(result: FileResult): void {
  const { file, error, entries, accepted, duplicates, unreadable, faults, syntax, pageTimings, reasons } = result;
  if (error !== null) {
    note(`${file}: ${error}.`);
    return;
  }
  const again = duplicates === 0 ? '' : `, ${duplicates} had been imported before`;
  const done = entries === 0 ? 'it has no entries' : `${accepted} of ${entries} entries imported${again}`;
  note(`${file}: ${done}${unreadable === 0 ? '.' : `, ${unreadable} left out:`}`);
  for (const [reason, count] of Object.entries(reasons)) {
    const at = faults.flatMap((fault) => (fault.reason === reason ? [fault.entry] : []));
    const places = at.length === 0 ? '' : ` (entry ${at.join(', ')}${count > at.length ? ', …' : ''})`;
    note(`  ${count} ×: ${HAR_FAULTS[reason as HarFault]}${places}`);
  }
  if (syntax !== null) note(`  The file stops being JSON ${syntaxText(syntax)}. Entries after that may be missing.`);
  if (pageTimings > 0) {
    note(
      `  onContentLoad and onLoad of ${pageTimings} ${pageTimings === 1 ? 'page' : 'pages'} left out: samples describe requests.`,
    );
  }
}

function parseLabel(text: string): string {
  if (!/^[a-z0-9-]{1,60}$/.test(text))
    throw new InvalidArgumentError('It consists of a–z, 0–9 and -, at most 60 characters.');
  return text;
}
