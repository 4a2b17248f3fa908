import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { demoReport } from '../lab/demo/demo-report.ts';
import { CommandFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { untilStopped } from '../lib/stop-signal.ts';
import { browserOption } from './browser-option.ts';
import { MAX_PORT, wholeNumber } from './whole-number.ts';

interface DemoOptions {
  readonly once?: boolean;
  readonly seconds?: number;
  readonly browser?: BrowserEngine;
  readonly data?: string;
  readonly port: number;
  readonly headed?: boolean;
  readonly json?: boolean;
}

export function demoCommand(): Command {
  return new Command('demo')
    .description('run everything on this machine: target apps with known delays, a real browser, the dashboard')
    .option('--once', 'end after one round, about half a minute')
    .option('--seconds <n>', 'end after this many seconds, but not before the first round is complete', parseSeconds)
    .addOption(browserOption())
    .option('--data <dir>', 'data folder (default: ./data/demo-<time>)')
    .option('--port <number>', 'port of the collector; 0 lets the system choose', wholeNumber(0, MAX_PORT), 0)
    .option('--headed', 'show the browser window')
    .option('--json', 'print {ok, data, dashboard, summary} when it ends')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte demo --once --json > demo.json\n\nTo look at its data afterwards:\n  lastbyte serve --data <the folder it named>',
    )
    .action(demo);
}

async function demo(options: DemoOptions): Promise<void> {
  // Imported here, because no other command needs the lab.
  const { startDemo } = await import('../lab/demo/start-demo.ts');
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  const result = await startDemo({
    engine: options.browser ?? null,
    data: options.data ?? null,
    port: options.port,
    headless: !options.headed,
    once: options.once ?? false,
    seconds: options.seconds ?? null,
    // The folder of the built command, whatever the current folder is.
    built: fileURLToPath(new URL('.', import.meta.url)),
    stopped: stop.signal,
    now: Date.now,
    say: note,
  });
  if (result.summary === null) {
    throw new CommandFailure('stopped before the first round was complete', 'Let it run for about half a minute.');
  }
  const { data, dashboard, summary } = result;
  if (options.json) printJson({ ok: true, data, dashboard, summary });
  else printLines(...demoReport(summary, data));
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) throw new InvalidArgumentError('It has to be a number above 0.');
  return seconds;
}
