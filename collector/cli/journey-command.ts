import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { nameStep } from '../../shared/journeys/name-step.ts';
import { readRecording } from '../../shared/journeys/read-recording.ts';
import type { Recording } from '../../shared/journeys/recording.ts';
import { hideValuesIn, toLine } from '../../shared/journeys/run-outcome.ts';
import { missingVariables, namesOfVariables, type VariableValues } from '../../shared/journeys/variables.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { chooseBrowser } from '../lab/browser/find-browser.ts';
import { explainBreakage, journeyTable } from '../lab/journey/journey-table.ts';
import type { RunDestination } from '../lab/journey/send-run.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { errorCode } from '../lib/read-text.ts';
import { stopSignal } from '../lib/stop-signal.ts';
import { VERSION } from '../lib/version.ts';
import type { OutgoingFailure } from '../outgoing/outgoing-failure.ts';
import { builtExtension } from '../rollout/package/package-extension.ts';
import { browserOption } from './browser-option.ts';
import { addDestinationOptions, type DestinationOption, readDestination, SENDING_HINT } from './destination-option.ts';
import { checkAddress } from './store-option.ts';

/** Five times the largest recording that was seen. */
const MAX_RECORDING_BYTES = 1024 * 1024;
const MAX_VALUE_BYTES = 10_000;
const VARIABLE_PREFIX = 'LASTBYTE_VAR_';

interface JourneyOptions extends DestinationOption {
  readonly browser?: BrowserEngine;
  readonly varFile?: readonly string[];
  readonly headed?: boolean;
  readonly json?: boolean;
  readonly id?: string;
}

export function journeyCommand(): Command {
  const run = addDestinationOptions(new Command('run'), 'the run')
    .description('replay a recording once, in a fresh browser on this machine, and measure its steps')
    .argument('<file>', 'recording of Lastbyte or of Chrome DevTools, as JSON')
    .addOption(browserOption())
    .option(
      '--var-file <name=path>',
      `file with the value of a variable; repeatable. Otherwise ${VARIABLE_PREFIX}name in the environment`,
      (value: string, before: readonly string[] = []) => [...before, value],
    )
    .option('--headed', 'show the browser window')
    .option(
      '--id <id>',
      "with a collector: the journey's id (default: lastbyte.id of the recording, whose lastbyte.target is the default of --target)",
    )
    .option('--json', 'print {journey, browser, up, ms, steps, broke}')
    .addHelpText(
      'after',
      '\nExample:\n  LASTBYTE_VAR_user=robot lastbyte journey run order.json --var-file password=/run/secrets/erp\n\nThe exit code is 0 if the journey is up, 1 if it is down, 2 for a recording that cannot run.',
    )
    .action(runFile);
  const record = new Command('record')
    .description('record what you do in a fresh browser on this machine, until you close its window')
    .argument('<url>', 'page at which it begins')
    .requiredOption('--out <file>', 'file to write')
    .option('--force', 'replace the file')
    .addOption(browserOption())
    .addOption(new Option('--headless', 'without a window, for tests').hideHelp())
    .addHelpText('after', '\nExample:\n  lastbyte journey record https://erp.example.com/ --out order.json')
    .action(recordFile);
  return new Command('journey')
    .description('what a user does, recorded once and replayed')
    .addCommand(record)
    .addCommand(run);
}

interface RecordFileOptions extends Pick<JourneyOptions, 'browser'> {
  readonly out: string;
  readonly force?: boolean;
  readonly headless?: boolean;
}

async function recordFile(url: string, options: RecordFileOptions): Promise<void> {
  const { out, force = false, headless = false, browser } = options;
  await checkPage('the address', url);
  const taken = () => new UsageFailure(`${out} is there already`, 'Name another file, or add --force to replace it.');
  if (!force && existsSync(out)) throw taken();
  const { env, platform } = process;
  if (!headless && platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) {
    throw new CommandFailure(
      'there is no display for a window',
      'Run it on a desktop, or with ssh -X, or record by the extension.',
    );
  }
  const { engine, path } = chooseBrowser(browser ?? null);
  const recorder = await readFile(join(await builtExtension(), engine, 'recorder.js'), 'utf8');
  note(`Starting ${engine}.`);
  const { recordJourney } = await import('../lab/journey/record-journey.ts');
  const opened = () => note('Recording. Close the window, or press Ctrl-C, to end.');
  const how = { engine, executable: path, headless, url, recorder, signal: stopSignal(), opened };
  const recording = await recordJourney(how);
  if (recording.steps.length === 0)
    throw new CommandFailure('nothing was recorded', `Check that ${url} opens from here.`);
  // Another may have been written meanwhile.
  await writeFile(out, `${JSON.stringify(recording, null, 2)}\n`, { flag: force ? 'w' : 'wx' }).catch((error) => {
    throw error.code === 'EEXIST'
      ? taken()
      : new CommandFailure(`${out} cannot be written (${error.code})`, 'Check the path.');
  });
  printLines(...recording.steps.map((step, index) => `${index + 1}  ${toLine(nameStep(step))}`));
  const variables = namesOfVariables(recording);
  if (variables.length > 0) note(`To be filled in where it runs: ${variables.join(', ')}.`);
}

/** Where operators have limited what may be requested, that holds for what a person opens too. */
async function checkPage(what: string, url: string): Promise<void> {
  const verdict = readRecording({ title: what, steps: [{ type: 'navigate', url }] }, null);
  const [problem] = verdict.ok ? [] : verdict.problems;
  if (problem !== undefined) throw new UsageFailure(`${what}: ${problem.message}`, problem.hint);
  await checkAddress(what, url).catch((error: OutgoingFailure) => {
    throw new UsageFailure(error.message, error.hint);
  });
}

async function runFile(file: string, options: JourneyOptions): Promise<void> {
  const recording = await readFileAsRecording(file);
  for (const [index, step] of recording.steps.entries()) {
    if (step.type !== 'navigate') continue;
    await checkPage(`step ${index + 1}`, step.url);
  }
  const values = await readVariables(recording, options.varFile ?? []);
  const destination = await readRunDestination(recording, options);
  const { engine, path } = chooseBrowser(options.browser ?? null);
  const total = recording.steps.length;
  note(`Replaying ${toLine(recording.title)} with ${engine}: ${total} steps.`);
  const signal = stopSignal();
  let at = 0;
  // Imported here, because it needs the drivers, which a server may lack.
  const { runJourney } = await import('../lab/journey/run-journey.ts');
  try {
    const seen = await runJourney(recording, {
      engine,
      executable: path,
      headless: !options.headed,
      values,
      signal,
      progress: (step) => {
        at = step;
      },
    });
    const run = hideValuesIn(seen, values);
    const { version: browserVersion, startedAt, requests: _, begun: __, ...outcome } = run;
    const { id = null, target = null } = destination ?? recording.lastbyte ?? {};
    const journey = { title: recording.title, id, target };
    if (options.json) {
      printJson({ journey, browser: engine, browserVersion, startedAt: new Date(startedAt).toISOString(), ...outcome });
      if (run.broke !== null) note(`Down: ${explainBreakage(run.broke, total, run.steps.at(-1)?.name)}`);
    } else {
      printLines(...journeyTable(toLine(recording.title), total, run));
    }
    if (!run.up) process.exitCode = 1;
    if (destination === null) return;
    const { sendRun } = await import('../lab/journey/send-run.ts');
    const refused = await sendRun({ ...run, requests: seen.requests }, engine, VERSION, destination, values);
    if (refused === null) note(`Sent to ${destination.collector}.`);
    else throw new CommandFailure(`${destination.collector} did not take the run (${refused})`, SENDING_HINT);
  } catch (error) {
    if (signal.aborted) throw new CommandFailure(`stopped in step ${at} of ${total}`, 'The browser has been ended.');
    throw error;
  }
}

/** Checked before the browser starts; null if the run is not to be sent. */
async function readRunDestination(
  { lastbyte = {} }: Recording,
  options: JourneyOptions,
): Promise<RunDestination | null> {
  const destination = await readDestination(options, lastbyte.target);
  const id = options.id ?? lastbyte.id;
  if (destination === null || id !== undefined) return destination && { ...destination, id: id ?? '' };
  throw new UsageFailure(
    'the journey has no id at the collector',
    'Give --id, or write lastbyte.id into the recording.',
  );
}

async function readFileAsRecording(file: string): Promise<Recording> {
  const content = await readText(file, MAX_RECORDING_BYTES);
  let document: unknown;
  try {
    // Editors on Windows begin a file with a byte order mark.
    document = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageFailure(`${file} is not JSON`, 'In the Recorder panel choose Export, then JSON.');
  }
  const verdict = readRecording(document, null);
  if (verdict.ok) return verdict.recording;
  const lines = verdict.problems.map(({ step, path, message, hint }) => {
    const where = step === null ? path || '/' : `step ${step}`;
    return `${where}: ${message}. ${hint}`;
  });
  throw new UsageFailure(`${file} cannot run`, ['', ...lines].join('\n  '));
}

/** From files and the environment, never from arguments, which other users of the machine can read. */
async function readVariables(recording: Recording, files: readonly string[]): Promise<VariableValues> {
  // Any name may be a variable's, __proto__ as well.
  const values: Record<string, string> = Object.create(null);
  for (const name of namesOfVariables(recording)) {
    const value = process.env[VARIABLE_PREFIX + name];
    if (value !== undefined) values[name] = value;
  }
  for (const entry of files) {
    const [, name, path] = /^(\w+)=(.+)$/s.exec(entry) ?? [];
    if (name === undefined || path === undefined) {
      // Not quoted: it may be a secret in the wrong place.
      throw new UsageFailure('--var-file is not of the form name=path', 'Write the value into a file and name that.');
    }
    values[name] = (await readText(path, MAX_VALUE_BYTES)).replace(/\r?\n$/, '');
  }
  const missing = missingVariables(recording, values);
  if (missing.length === 0) return values;
  const how = missing.map((name) => `--var-file ${name}=PATH or ${VARIABLE_PREFIX}${name}`).join(', ');
  throw new UsageFailure(`no value for ${missing.join(', ')}`, `Give each: ${how}.`);
}

async function readText(file: string, maxBytes: number): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageFailure(`${file} cannot be read${errorCode(error)}`, 'Check the path and its permissions.');
  });
  if (bytes.length <= maxBytes) return bytes.toString();
  throw new UsageFailure(`${file} has ${bytes.length} bytes, more than ${maxBytes}`, 'Check the path.');
}
