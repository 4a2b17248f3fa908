import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import {
  DEFAULT_PAUSE_MS,
  DEFAULT_TIMEOUT_MS,
  DEFAULT_WARMUPS,
  requestsFor,
  type SequenceRequest,
  toOtherScheme,
} from '../../shared/probes/sequence-request.ts';
import { hasCredentials, parseHttpUrl } from '../../shared/redact/http-url.ts';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { sequenceDocument } from '../analysis/probes/sequence-document.ts';
import { chooseBrowser } from '../lab/browser/find-browser.ts';
import { probeTable } from '../lab/probe/probe-table.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { stopSignal } from '../lib/stop-signal.ts';
import { VERSION } from '../lib/version.ts';
import { readAuthority } from './authority-option.ts';
import { browserOption } from './browser-option.ts';
import { addDestinationOptions, type DestinationOption, readDestination, SENDING_HINT } from './destination-option.ts';
import { checkAddress } from './store-option.ts';
import { wholeNumber } from './whole-number.ts';

/** This is a measurement, not a load test. */
const MAX_REPETITIONS = 500;
const DEFAULT_N = 50;
/** Timer resolution without cross-origin isolation, ms. */
const CLOCK_STEPS: Readonly<Record<BrowserEngine, number>> = { chromium: 0.1, firefox: 1 };

interface ProbeOptions extends DestinationOption {
  readonly browser?: BrowserEngine;
  readonly n: number;
  readonly other?: string;
  readonly wildcard?: boolean;
  readonly idleWait?: number;
  readonly ca?: string;
  readonly proxy?: string;
  readonly headed?: boolean;
  readonly json?: boolean;
}

export function probeCommand(): Command {
  return addDestinationOptions(new Command('probe'), 'the requests')
    .description('measure what TLS costs for one address, from a real browser on this machine')
    .argument('<url>')
    .addOption(browserOption())
    .option('--n <number>', 'repetitions of each scenario', wholeNumber(1, MAX_REPETITIONS), DEFAULT_N)
    .option('--other <url>', 'the same resource over the other scheme (default: the same address with it)')
    .option('--wildcard', 'every subdomain of the host reaches the same server, which gives new connections')
    .option('--idle-wait <seconds>', 'idle time after which the server has closed its connections', wholeNumber(1, 600))
    .option('--ca <file>', 'PEM authority to trust besides the browser’s own')
    .option('--proxy <url>', 'proxy to use, socks5://host:port', socksProxy)
    .option('--headed', 'show the browser window')
    .option('--json', 'print {url, browser, scenarios, ratios, sentence}')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte probe https://erp.example.com/logo.png --n 50\n\nIt sends up to 12 requests a repetition, one after the other, marked by the header X-Lastbyte-Probe.',
    )
    .action(probe);
}

async function probe(url: string, options: ProbeOptions): Promise<void> {
  const request = requestOf(url, options);
  await checkAddress('<url>', request.url);
  await checkAddress('--other', request.otherUrl);
  await checkAddress('--proxy', options.proxy);
  const destination = await readDestination(options);
  const trust = options.ca === undefined ? [] : [await readAuthority(options.ca)];
  const { engine, path } = chooseBrowser(options.browser ?? null);
  note(`Probing with ${engine}; it takes about ${Math.ceil((options.n * 1.2 + 10) / 10) * 10} s.`);
  // Imported here, because it needs the drivers, which a server may lack.
  const { probeWithBrowser } = await import('../lab/probe/probe-browser.ts');
  const { report, samples, version } = await probeWithBrowser(request, {
    engine,
    executable: path,
    // In the folder of the built command, whatever the current folder is.
    built: fileURLToPath(new URL('./extension', import.meta.url)),
    headless: !options.headed,
    trust,
    proxy: options.proxy ?? null,
    signal: stopSignal(),
    progress: (rounds) => showProgress(rounds, request.repetitions),
  });
  showProgress(request.repetitions, request.repetitions);
  const { machineId, sendBatches } = await import('../lab/send-batches.ts');
  const origin = {
    client: machineId(options.site),
    site: options.site,
    browser: engine,
    browserVersion: version,
    extensionVersion: VERSION,
    clockStep: CLOCK_STEPS[engine] * 1000,
  };
  const document = sequenceDocument(request.url, report, samples, origin);
  if (options.json) printJson(document);
  else printLines(...probeTable(document));
  if (destination !== null) {
    const { target, collector } = destination;
    const refused = await sendBatches(
      destination,
      { ...origin, browserVersion: version.split('.')[0] ?? '' },
      samples.map((sample) => ({ ...sample, target })),
    );
    if (refused !== null) throw new CommandFailure(`${collector} did not take the requests (${refused})`, SENDING_HINT);
    note(`Sent ${samples.length} requests to ${collector}.`);
  }
  if (document.scenarios.every(({ kept }) => kept === 0)) {
    throw new CommandFailure(
      'no run could be kept',
      'The table has the reasons for each scenario; docs/probes.md explains them.',
    );
  }
}

/** Only on a terminal: it would fill a log. */
function showProgress(done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} rounds${done === of ? '\n' : ''}`);
}

function requestOf(text: string, { n, other, wildcard, idleWait }: ProbeOptions): SequenceRequest {
  const url = addressOf(text);
  const otherUrl = other === undefined ? toOtherScheme(url) : addressOf(other);
  if (url.split(':')[0] === otherUrl.split(':')[0]) {
    throw new UsageFailure('--other has the same scheme', 'Give the same resource over the other one, http or https.');
  }
  return {
    id: 'lastbyte-probe',
    target: 'probe',
    url,
    otherUrl,
    repetitions: n,
    warmups: DEFAULT_WARMUPS,
    wildcard: wildcard ?? false,
    idleWaitMs: idleWait === undefined ? null : idleWait * 1000,
    cookies: false,
    pauseMs: DEFAULT_PAUSE_MS,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    maxRequests: requestsFor(n, DEFAULT_WARMUPS),
    serverTimingMetrics: ['server', 'cpu'],
  };
}

function addressOf(text: string): string {
  if (parseHttpUrl(text) === null) {
    throw new UsageFailure(`${text} is not an address`, 'Include the scheme: https://erp.example.com/logo.png');
  }
  if (hasCredentials(text)) {
    throw new UsageFailure('the address names a user', 'Leave out everything up to the @: probes never log in.');
  }
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

function socksProxy(text: string): string {
  if (!/^socks5:\/\/[^/:@%\s]+:\d{1,5}\/?$/.test(text)) {
    throw new InvalidArgumentError('It has the form socks5://host:port.');
  }
  return text;
}
