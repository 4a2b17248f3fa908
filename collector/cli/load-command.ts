import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import type { LoadCounts } from '../analysis/load/load-counts.ts';
import { scenarioDocument } from '../analysis/load/load-document.ts';
import { LOAD_STOPS, loadPoints } from '../analysis/load/load-points.ts';
import { LOAD_SCENARIOS, type LoadScenario } from '../analysis/load/loaded-request.ts';
import { matrixPoints, matrixTables } from '../analysis/load/matrix-tables.ts';
import { MAX_ANNOTATION_TEXT } from '../http/schemas/annotation-fields.ts';
import type { LoadServer } from '../lab/load/load-connection.ts';
import type { LoadPlan, LoadRun } from '../lab/load/run-load.ts';
import type { ServerMetrics } from '../lab/load/server-metrics.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson } from '../lib/print.ts';
import { progressBar } from '../lib/progress-bar.ts';
import { stopSignal } from '../lib/stop-signal.ts';
import { VERSION } from '../lib/version.ts';
import { writeToStandardOutput, writeWholeFile } from '../lib/write-whole-file.ts';
import type { Format, Report } from '../reports/document/report-document.ts';
import { renderReport } from '../reports/render/render-report.ts';
import { loadReport, tablesReport } from '../reports/write/load-report.ts';
import { readAuthority } from './authority-option.ts';
import {
  addDestinationOptions,
  type Destination,
  type DestinationOption,
  readDestination,
  SENDING_HINT,
} from './destination-option.ts';
import { formatOfFile } from './format-option.ts';
import {
  addressOf,
  checkAnswers,
  checkOwner,
  openMetrics,
  readAuthorization,
  readClientCertificate,
  serverOf,
} from './load-servers.ts';
import { checkAddress } from './store-option.ts';
import { wholeNumber } from './whole-number.ts';

/** What one person may ask of a server without a second thought; more takes --allow-high. */
const MAX_USERS = 200;
const MAX_RATE = 500;
const MAX_HIGH = 100_000;
const NOT_OF_MATRIX = ['users', 'ramp', 'think', 'warmup', 'duration', 'rate', 'scenario', 'http2', 'collector'];
const TOKEN_VARIABLE = 'LASTBYTE_TOKEN';
/** Between two looks at the progress, ms. */
const REDRAW_MS = 200;
/** CPU times are told apart from so many handshakes on. */
const MATRIX_COUNT = 100;

interface LoadOptions extends DestinationOption {
  readonly matrix?: boolean;
  readonly clientCertificate?: string;
  readonly scenario?: readonly LoadScenario[];
  readonly users: number;
  readonly ramp: number;
  readonly think: LoadPlan['thinkMs'];
  readonly warmup: number;
  readonly duration: number;
  readonly count?: number;
  readonly rate?: number;
  readonly timeout: number;
  readonly http2?: boolean;
  readonly ca?: string;
  readonly authorization?: string;
  readonly allowHigh?: boolean;
  readonly yesIOwn?: readonly string[];
  readonly serverMetrics?: string;
  readonly cpuCounter?: string;
  readonly report?: string;
  readonly json?: boolean;
}

export function loadCommand(): Command {
  const command = new Command('load')
    .description('repeat a request as many users at once, and see what TLS, the network and the server take of it')
    .argument('<urls...>', 'the resource over https, over http, or over both to compare them')
    .option(
      '--matrix',
      'compare what handshakes cost instead: by server, TLS version, cipher and group, full and resumed',
    )
    .addOption(
      new Option('--scenario <names...>', 'default: those of the addresses, except http-new').choices(LOAD_SCENARIOS),
    )
    .option('--users <number>', 'virtual users', wholeNumber(1, MAX_HIGH), 10)
    .option('--ramp <seconds>', 'from the first user’s start to the last one’s', wholeNumber(0, 3600), 0)
    .option('--think <ms>', 'pause of a user after each answer, such as 500 or 200-800', parseThink, [0, 0] as const)
    .option('--duration <seconds>', 'how long each scenario is measured', wholeNumber(1, 86_400), 30)
    .option('--count <requests>', 'instead: how many of each scenario', wholeNumber(1, 999_999))
    .option(
      '--rate <number>',
      'requests a second that begin whether or not others have ended',
      wholeNumber(1, MAX_HIGH),
    )
    .option('--warmup <seconds>', 'at the beginning of each scenario, left out', wholeNumber(0, 600), 1)
    .option('--timeout <seconds>', 'how long to wait for an answer', wholeNumber(1, 600), 30)
    .option('--http2', 'offer HTTP/2 only')
    .option('--ca <file>', 'PEM authority to trust instead of Node’s own')
    .option('--client-certificate <file>', 'PEM with the certificate and the key that the server asks for')
    .option('--authorization <file>', 'file with the value of the header Authorization')
    .option('--server-metrics <url>', 'Prometheus text endpoint of the server’s machine: what it pays')
    .option('--cpu-counter <name>', 'its counter of CPU seconds; default the likeliest')
    .option('--allow-high', `more than ${MAX_USERS} users or ${MAX_RATE} requests a second`)
    .option('--yes-i-own <host>', 'load this host, which is not this machine, without asking; repeatable', addTo)
    .option('--report <file>', 'write a report too: .pdf, .html, .md or .csv')
    .option('--json', 'print {url, startedAt, endedAt, plan, stopped, scenarios, server}');
  return addDestinationOptions(command, 'up to 20,000 of the requests')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte load https://erp.example.com/logo.png --users 50 --ramp 25 --count 10000 --yes-i-own erp.example.com\n\nRequests have the header X-Lastbyte-Load; a server that answers X-Lastbyte-Load: no is left alone.\nWith --collector, and a token of yours in LASTBYTE_TOKEN, it also says what users saw meanwhile.',
    )
    .action(load);
}

async function load(texts: readonly string[], options: LoadOptions, command: Command): Promise<void> {
  const urls = texts.map(addressOf);
  const [url] = urls as [URL];
  const { matrix = false } = options;
  if (!matrix && new Set(urls.map(({ protocol }) => protocol)).size < urls.length) {
    throw new UsageFailure(
      'two addresses have the same scheme',
      'Give the same resource once over https, and once over http.',
    );
  }
  if (matrix && urls.some(({ protocol }) => protocol === 'http:')) {
    throw new UsageFailure('http has no handshakes', 'Give --matrix https addresses only.');
  }
  const idle = matrix ? NOT_OF_MATRIX.filter((name) => command.getOptionValueSource(name) === 'cli') : [];
  if (idle.length > 0) {
    const named = command.options.filter((option) => idle.includes(option.attributeName())).map(({ long }) => long);
    throw new UsageFailure(`--matrix has no ${named.join(' and ')}`, 'Leave it out: see docs/load.md.');
  }
  const plan = planOf(urls, options);
  const format = options.report === undefined ? null : reportFormat(options.report);
  const destination = await readDestination(options);
  for (const host of new Set(urls.map(({ hostname }) => hostname))) await checkOwner(host, options.yesIOwn ?? []);
  await Promise.all([
    ...urls.map((each) => checkAddress('<urls>', each.href)),
    checkAddress('--server-metrics', options.serverMetrics),
  ]);
  const tls = {
    ...(options.ca === undefined ? {} : { ca: await readAuthority(options.ca) }),
    ...(options.clientCertificate === undefined ? {} : await readClientCertificate(options.clientCertificate)),
  };
  const headers = {
    'user-agent': `lastbyte-load/${VERSION}`,
    'x-lastbyte-load': VERSION,
    ...(options.authorization === undefined ? {} : { authorization: await readAuthorization(options.authorization) }),
  };
  const how = { tls, http2: options.http2 ?? false, timeoutMs: 1000 * options.timeout };
  const known = await Promise.all(urls.map((each) => serverOf(each, how)));
  const metrics = await openMetrics(options.serverMetrics, options.cpuCounter);
  if (matrix) return showMatrix(urls, known, metrics, headers, options, format);
  const servers = {
    http: known.find(({ origin }) => origin.startsWith('http:')) ?? null,
    https: known.find(({ origin }) => origin.startsWith('https:')) ?? null,
  };
  // Imported here, because no other command needs the client.
  const [{ VirtualUser }, { runLoad }] = await Promise.all([
    import('../lab/load/virtual-user.ts'),
    import('../lab/load/run-load.ts'),
  ]);
  const user = (refused: () => void) => new VirtualUser({ servers, headers, refused });
  await checkAnswers(plan.scenarios, user, servers);
  note(`Loading ${urls.map(String).join(' and ')}: ${planText(plan)}. Ctrl-C ends it and shows what there is.`);
  const bar = progressBar();
  let drawnAt = Number.NEGATIVE_INFINITY;
  metrics?.start();
  const run = await runLoad(plan, {
    user,
    random: Math.random,
    signal: stopSignal(),
    ...(metrics && { began: () => metrics.began(), ended: (scenario: LoadScenario) => metrics.ended(scenario) }),
    progress(counts, share) {
      // A fast server answers more often than anybody looks.
      if (performance.now() - drawnAt < REDRAW_MS) return;
      drawnAt = performance.now();
      bar.show(share, liveText(counts));
    },
  }).finally(() => {
    bar.clear();
    metrics?.stop();
  });
  await show(run, plan, url, options, metrics, format);
  if (destination !== null) {
    await send(run, urls, destination);
    await tellUsers(run, plan, url, destination);
  }
  if (run.stopped !== null && run.stopped !== 'interrupted') process.exitCode = 1;
}

/** What came of the last whole second: `https-new-full: 1203 requests, 398/s, median 61 ms, 3 × 503`. */
function liveText({ scenario, requests, codes, bySecond }: LoadCounts): string {
  const { total } = [...bySecond.values()].at(-2) ?? {};
  const median = total && timeStatistics(total.build(), null)?.median;
  const others = [...codes].flatMap(([code, n]) => (code === '200' ? [] : [`${n} × ${code}`]));
  const last = total && median !== undefined ? [`${total.n}/s`, `median ${median.toFixed(0)} ms`] : [];
  return [`${scenario}: ${requests} requests`, ...last, ...others].join(', ');
}

async function show(
  run: LoadRun,
  plan: LoadPlan,
  url: URL,
  options: LoadOptions,
  metrics: ServerMetrics | null,
  format: Format | null,
): Promise<void> {
  const { startedAt, endedAt, counts, stopped, timeOrigin } = run;
  const scenarios = counts
    .filter(({ requests }) => requests > 0)
    .map((each) => scenarioDocument(each, metrics?.costOf(each.scenario) ?? null));
  const server = metrics && {
    counter: metrics.counter,
    failedReadings: metrics.failed,
    movingAverage: metrics
      .movingAverage()
      .map(({ at, cores }) => ({ at: new Date(timeOrigin + at).toISOString(), cores })),
  };
  const data = {
    url: url.href,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    plan,
    stopped,
    busy: run.busy,
    scenarios,
    server,
  };
  const report = loadReport({
    title: `Load on ${url.host}`,
    subtitle: `${new Date(startedAt).toISOString().slice(0, 19)}Z, ${((endedAt - startedAt) / 1000).toFixed(0)} s. ${planText(plan)}.`,
    points: loadPoints(scenarios, { stopped, busy: run.busy, failedReadings: metrics?.failed ?? 0 }),
    endedAt,
    counts,
    scenarios,
    rate: plan.rate,
    cpuCounter: metrics?.counter ?? null,
    data,
  });
  if (options.json) printJson(data);
  else await writeToStandardOutput([await renderReport(report, 'text')]);
  await writeReport(report, options.report, format);
}

/** Checked before the load, which may take an hour. @throws UsageFailure */
function reportFormat(file: string): Format {
  const format = formatOfFile('--report', file);
  if (format === undefined || !existsSync(dirname(file))) {
    throw new UsageFailure(
      `--report ${file} is no file that can be written`,
      'Name one such as load.pdf, in a folder that is there.',
    );
  }
  return format;
}

async function writeReport(report: Report, file: string | undefined, format: Format | null): Promise<void> {
  if (file === undefined || format === null) return;
  await writeWholeFile(file, [await renderReport(report, format)]);
  note(`Wrote ${file}.`);
}

function planOf(urls: readonly URL[], options: LoadOptions): LoadPlan {
  const { users, ramp, think, warmup, duration, count = null, rate = null, allowHigh = false } = options;
  const schemes = urls.map(({ protocol }) => protocol.slice(0, -1));
  const known = LOAD_SCENARIOS.filter((name) => schemes.includes(name.split('-')[0] ?? ''));
  const scenarios = [...new Set(options.scenario ?? known.filter((name) => name !== 'http-new'))];
  const foreign = scenarios.find((name) => !known.includes(name));
  if (foreign !== undefined) {
    throw new UsageFailure(`there is no address for ${foreign}`, 'Give the same resource over that scheme too.');
  }
  if (!allowHigh && (users > MAX_USERS || (rate ?? 0) > MAX_RATE)) {
    const asked = users > MAX_USERS ? `${users} users` : `${rate} requests a second`;
    throw new UsageFailure(
      `${asked} may bring a server down`,
      `Up to ${MAX_USERS} users and ${MAX_RATE} requests a second are allowed; add --allow-high for more.`,
    );
  }
  if (rate !== null && (ramp > 0 || think[1] > 0)) {
    throw new UsageFailure('--rate decides when requests begin', 'Leave out --ramp and --think.');
  }
  if (options.http2 && scenarios.some((name) => name.startsWith('http-'))) {
    throw new UsageFailure('browsers speak HTTP/2 over TLS only', 'Leave out the http address, or --http2.');
  }
  return {
    scenarios,
    users,
    rampMs: 1000 * ramp,
    thinkMs: think,
    warmupMs: 1000 * warmup,
    count,
    durationMs: 1000 * duration,
    rate,
  };
}

function planText({ users, rate, count, durationMs, rampMs, thinkMs: [least, most] }: LoadPlan): string {
  const each = count === null ? `${durationMs / 1000} s of each scenario` : `${count} requests of each scenario`;
  const ramp = rampMs === 0 ? '' : `, started within ${rampMs / 1000} s`;
  const think = most === 0 ? '' : `, who think for ${least === most ? most : `${least} to ${most}`} ms`;
  return rate === null
    ? `${users} ${users === 1 ? 'user' : 'users'}${ramp}${think}, ${each}`
    : `${rate} requests a second by up to ${users} users, ${each}`;
}

function addTo(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function parseThink(text: string): LoadPlan['thinkMs'] {
  const [, least = '', most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (least === '' || Number(least) > Number(most)) throw new InvalidArgumentError('It has the form 500 or 200-800.');
  return [Number(least), Number(most)];
}

async function send(run: LoadRun, urls: readonly URL[], { target, site, ...to }: Destination): Promise<void> {
  const [{ loadSamples }, { machineId, sendBatches }] = await Promise.all([
    import('../lab/load/load-samples.ts'),
    import('../lab/send-batches.ts'),
  ]);
  const byScheme = Object.fromEntries(urls.map((each) => [each.protocol.slice(0, -1), each.href]));
  const samples = loadSamples(run, { http: '', https: '', ...byScheme }, target);
  const origin = {
    ...{ client: machineId(site), site, browser: 'other' as const },
    ...{ browserVersion: VERSION, extensionVersion: VERSION, clockStep: 1 },
  };
  const refused = await sendBatches(to, origin, samples);
  if (refused === null) note(`Sent ${samples.length} requests to ${to.collector}; they have the source load.`);
  else throw new CommandFailure(`${to.collector} did not take the load (${refused})`, SENDING_HINT);
}

/** With a person's token: what users saw meanwhile. */
async function tellUsers(run: LoadRun, plan: LoadPlan, url: URL, { collector, target }: Destination): Promise<void> {
  const token = process.env[TOKEN_VARIABLE]?.trim() ?? '';
  if (token === '') return;
  const { usersMeanwhile } = await import('./users-meanwhile.ts');
  note('Waiting for what users saw meanwhile.');
  const load = {
    from: run.startedAt,
    to: run.endedAt,
    text: `load on ${url.host}: ${planText(plan)}`.slice(0, MAX_ANNOTATION_TEXT),
  };
  note(...(await usersMeanwhile({ collector, target, token, ...load, signal: stopSignal() })));
}

async function showMatrix(
  urls: readonly URL[],
  servers: readonly LoadServer[],
  metrics: ServerMetrics | null,
  headers: Readonly<Record<string, string>>,
  options: LoadOptions,
  format: Format | null,
): Promise<void> {
  const { runMatrix } = await import('../lab/load/run-matrix.ts');
  const bar = progressBar();
  const started = Date.now();
  const signal = stopSignal();
  const { rows, refused } = await runMatrix({
    servers,
    headers,
    count: options.count ?? MATRIX_COUNT,
    signal,
    serverCpu: async () => (metrics === null ? null : metrics.cpuNow()),
    progress: (share, row) => bar.show(share, row),
  }).finally(bar.clear);
  if (refused) throw new CommandFailure('a server answers X-Lastbyte-Load: no', 'Ask whoever runs it.');
  const points = [...(signal.aborted ? [LOAD_STOPS.interrupted] : []), ...matrixPoints(rows)];
  if (rows.every(({ n }) => n === 0))
    throw new CommandFailure('no handshake came about', 'Check the address and --ca.');
  const data = { urls: urls.map(String), startedAt: new Date(started).toISOString(), rows };
  const report = tablesReport({
    title: 'What handshakes cost',
    subtitle: `${new Date(started).toISOString().slice(0, 19)}Z. ${urls.map(({ host }) => host).join(', ')}.`,
    ...{ points, endedAt: Date.now(), tables: matrixTables(rows), data },
  });
  if (options.json) printJson(data);
  else await writeToStandardOutput([await renderReport(report, 'text')]);
  await writeReport(report, options.report, format);
}
