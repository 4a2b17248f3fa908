import { lookup } from 'node:dns/promises';
import { createInterface } from 'node:readline/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { hasCredentials, parseHttpUrl } from '../../shared/redact/http-url.ts';
import { type ServerCost, scenarioDocument } from '../analysis/load/load-document.ts';
import { loadPoints } from '../analysis/load/load-points.ts';
import { LOAD_SCENARIOS, type LoadScenario } from '../analysis/load/loaded-request.ts';
import type { LoadServer } from '../lab/load/load-connection.ts';
import type { LoadPlan, LoadRun } from '../lab/load/run-load.ts';
import { ServerMetrics } from '../lab/load/server-metrics.ts';
import type { Collector } from '../lab/send-batches.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printJson } from '../lib/print.ts';
import { progressBar } from '../lib/progress-bar.ts';
import { readText } from '../lib/read-text.ts';
import { stopSignal } from '../lib/stop-signal.ts';
import { VERSION } from '../lib/version.ts';
import { writeToStandardOutput, writeWholeFile } from '../lib/write-whole-file.ts';
import { renderReport } from '../reports/render/render-report.ts';
import { loadReport } from '../reports/write/load-report.ts';
import {
  collectorAddress,
  HTTP_OPTION,
  type HttpOption,
  ingestKey,
  isLoopbackHost,
  KEY_VARIABLE,
  siteLabel,
} from '../rollout/package/check-enrolment.ts';
import { readAuthority } from './authority-option.ts';
import { formatOfFile } from './format-option.ts';
import { checkAddress } from './store-option.ts';
import { wholeNumber } from './whole-number.ts';

/** What one person may ask of a server without a second thought; more takes --allow-high. */
const MAX_USERS = 200;
const MAX_RATE = 500;
const MAX_HIGH = 100_000;

interface LoadOptions extends HttpOption {
  readonly other?: string;
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
  readonly yesIOwn?: string;
  readonly serverMetrics?: string;
  readonly cpuCounter?: string;
  readonly report?: string;
  readonly json?: boolean;
  readonly collector?: string;
  readonly site: string;
  readonly target?: string;
}

export function loadCommand(): Command {
  return new Command('load')
    .description('repeat a request as many users at once, and see what TLS, the network and the server take of it')
    .argument('<url>')
    .option('--other <url>', 'the same resource over the other scheme, to compare with')
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
    .option('--authorization <file>', 'file with the value of the header Authorization')
    .option('--server-metrics <url>', 'Prometheus text endpoint of the server’s machine: what it pays')
    .option('--cpu-counter <name>', 'its counter of CPU seconds; default the likeliest')
    .option('--allow-high', `more than ${MAX_USERS} users or ${MAX_RATE} requests a second`)
    .option('--yes-i-own <host>', 'load this host, which is not this machine, without asking')
    .option('--report <file>', 'write a report too: .pdf, .html, .md or .csv')
    .option('--json', 'print {url, startedAt, endedAt, plan, stopped, scenarios, server}')
    .option('--collector <url>', `send the requests there, with the ingest key in ${KEY_VARIABLE}`)
    .option(...HTTP_OPTION)
    .option('--site <label>', 'with a collector: location of this machine', '')
    .option('--target <id>', 'with a collector: id of the app')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte load https://erp.example.com/logo.png --users 50 --ramp 25 --count 10000 --yes-i-own erp.example.com\n\nRequests have the header X-Lastbyte-Load; a server that answers X-Lastbyte-Load: no is left alone.',
    )
    .action(load);
}

async function load(text: string, options: LoadOptions): Promise<void> {
  const urls = [text, options.other].flatMap((each) => (each === undefined ? [] : [addressOf(each)]));
  const [url, other] = urls as [URL, URL?];
  if (url.protocol === other?.protocol) {
    throw new UsageFailure('--other has the same scheme', 'Give the same resource over the other one, http or https.');
  }
  const plan = planOf(urls, options);
  const destination = readDestination(options);
  for (const host of new Set(urls.map(({ hostname }) => hostname))) await checkOwner(host, options.yesIOwn);
  await Promise.all([
    ...urls.map((each) => checkAddress('<url>', each.href)),
    checkAddress('--server-metrics', options.serverMetrics),
    checkAddress('--collector', options.collector),
  ]);
  const ca = options.ca === undefined ? undefined : await readAuthority(options.ca);
  const authorization =
    options.authorization === undefined ? null : await readText(options.authorization, AUTHORIZATION_HINT);
  const servers = { http: null as LoadServer | null, https: null as LoadServer | null };
  for (const each of urls)
    servers[each.protocol === 'http:' ? 'http' : 'https'] = await serverOf(each, ca, options.http2 ?? false);
  const metrics = await openMetrics(options);
  // Imported here, because no other command needs the client.
  const [{ VirtualUser }, { runLoad }] = await Promise.all([
    import('../lab/load/virtual-user.ts'),
    import('../lab/load/run-load.ts'),
  ]);
  const headers = {
    'user-agent': `lastbyte-load/${VERSION}`,
    'x-lastbyte-load': VERSION,
    ...(authorization === null ? {} : { authorization: authorization.trim() }),
  };
  const user = (refused: () => void) =>
    new VirtualUser({ servers, path: url.pathname + url.search, headers, timeoutMs: 1000 * options.timeout, refused });
  await checkAnswers(plan.scenarios, user, servers);
  note(`Loading ${urls.map(String).join(' and ')}: ${planText(plan)}. Ctrl-C ends it and shows what there is.`);
  const bar = progressBar();
  metrics?.start();
  const run = await runLoad(plan, {
    user,
    random: Math.random,
    signal: stopSignal(),
    ...(metrics && { began: () => metrics.began(), ended: (scenario: LoadScenario) => metrics.ended(scenario) }),
    progress: ({ scenario, requests, codes }, share) =>
      bar.show(
        share,
        `${scenario}: ${requests} requests, ${[...codes].map(([code, n]) => `${n} × ${code}`).join(', ')}`,
      ),
  }).finally(() => {
    bar.clear();
    metrics?.stop();
  });
  await show(run, plan, url, options, metrics);
  if (destination !== null) await send(run, urls, destination);
  if (run.stopped !== null && run.stopped !== 'interrupted') process.exitCode = 1;
}

async function show(
  run: LoadRun,
  plan: LoadPlan,
  url: URL,
  options: LoadOptions,
  metrics: ServerMetrics | null,
): Promise<void> {
  const { startedAt, endedAt, counts, stopped, timeOrigin } = run;
  const costOf = (scenario: LoadScenario): ServerCost | null => {
    const cost = metrics?.costs.get(scenario);
    return cost === undefined ? null : { ...cost, tls: Object.fromEntries(cost.tls) };
  };
  const scenarios = counts
    .filter(({ requests }) => requests > 0)
    .map((each) => scenarioDocument(each, costOf(each.scenario)));
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
    scenarios,
    server,
  };
  const report = loadReport({
    title: `Load on ${url.host}`,
    subtitle: `${new Date(startedAt).toISOString().slice(0, 19)}Z, ${((endedAt - startedAt) / 1000).toFixed(0)} s. ${planText(plan)}.`,
    points: loadPoints(scenarios, stopped),
    endedAt,
    counts,
    scenarios,
    rate: plan.rate,
    cpuCounter: metrics?.counter ?? null,
    data,
  });
  if (options.json) printJson(data);
  else await writeToStandardOutput([await renderReport(report, 'text')]);
  if (options.report === undefined) return;
  await writeWholeFile(options.report, [await renderReport(report, formatOfFile('--report', options.report) ?? 'pdf')]);
  note(`Wrote ${options.report}.`);
}

function planOf(urls: readonly URL[], options: LoadOptions): LoadPlan {
  const { users, ramp, think, warmup, duration, count = null, rate = null, allowHigh = false } = options;
  const schemes = urls.map(({ protocol }) => protocol.slice(0, -1));
  const known = LOAD_SCENARIOS.filter((name) => schemes.includes(name.split('-')[0] ?? ''));
  const scenarios = options.scenario ?? known.filter((name) => name !== 'http-new');
  const foreign = scenarios.find((name) => !known.includes(name));
  if (foreign !== undefined) {
    throw new UsageFailure(
      `there is no address for ${foreign}`,
      'Give the same resource over that scheme with --other.',
    );
  }
  if (!allowHigh && (users > MAX_USERS || (rate ?? 0) > MAX_RATE)) {
    const asked = users > MAX_USERS ? `${users} users` : `${rate} requests a second`;
    throw new UsageFailure(
      `${asked} may bring a server down`,
      `Up to ${MAX_USERS} users and ${MAX_RATE} requests a second need no leave; add --allow-high for more.`,
    );
  }
  if (rate !== null && (ramp > 0 || think[1] > 0)) {
    throw new UsageFailure('--rate decides when requests begin', 'Leave out --ramp and --think.');
  }
  if (options.scenario === undefined && options.http2) {
    throw new UsageFailure('--http2 needs --scenario', 'Name scenarios of https.');
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
    ? `${users} users${ramp}${think}, ${each}`
    : `${rate} requests a second by up to ${users} users, ${each}`;
}

function parseThink(text: string): LoadPlan['thinkMs'] {
  const [, least = '', most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (least === '' || Number(least) > Number(most)) throw new InvalidArgumentError('It has the form 500 or 200-800.');
  return [Number(least), Number(most)];
}

function addressOf(text: string): URL {
  if (parseHttpUrl(text) === null) {
    throw new UsageFailure(`${text} is not an address`, 'Include the scheme: https://erp.example.com/logo.png');
  }
  if (hasCredentials(text)) {
    throw new UsageFailure('the address names a user', 'Write the header into a file and give it as --authorization.');
  }
  return new URL(text);
}

/** Who loads a server that is not theirs attacks it. */
async function checkOwner(host: string, owned: string | undefined): Promise<void> {
  if (isLoopbackHost(host) || owned === host) return;
  const hint = `If it is yours to load, add --yes-i-own ${host}.`;
  if (!process.stdin.isTTY) throw new UsageFailure(`${host} is not this machine`, hint);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await asking.question(`${host} is not this machine. To load it, type its name: `);
  asking.close();
  if (typed.trim() !== host) throw new UsageFailure(`${host} is left alone`, hint);
}

async function serverOf(
  { origin, hostname, port, protocol }: URL,
  ca: string | undefined,
  http2: boolean,
): Promise<LoadServer> {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const { address } = await lookup(/(?:^|\.)localhost$/.test(bare) ? 'localhost' : bare).catch(() => {
    throw new CommandFailure(
      `${hostname} is unknown`,
      'Check the spelling, and whether this machine reaches its name server.',
    );
  });
  return {
    origin,
    address,
    port: Number(port || (protocol === 'http:' ? 80 : 443)),
    tls: ca === undefined ? {} : { ca },
    http2,
  };
}

const FAULTS: readonly (readonly [RegExp, string, string])[] = [
  [/^ECONNREFUSED$/, 'refuses connections', 'Check the port, and that the server is running.'],
  [/TIMEOUT|ETIMEDOUT/, 'does not answer', 'Check the address, or wait longer with --timeout.'],
  [/CERT|SIGNATURE|ISSUER|ALTNAME/, 'has a certificate that is not trusted', 'Give its authority with --ca.'],
  [/ALPN|HTTP2|H2/, 'does not speak HTTP/2', 'Leave out --http2.'],
  [
    /SOCKET|ECONNRESET|EPIPE/,
    'closes the connection before it has answered',
    'Check its log, and whether it expects TLS.',
  ],
];

const OTHER_FAULT = [/./, 'cannot be requested', 'Check the address.'] as const;

/** One request each, so that not thousands of them are wrong. */
async function checkAnswers(
  scenarios: readonly LoadScenario[],
  user: (refused: () => void) => InstanceType<typeof import('../lab/load/virtual-user.ts').VirtualUser>,
  servers: Readonly<Record<'http' | 'https', LoadServer | null>>,
): Promise<void> {
  for (const scheme of ['http', 'https'] as const) {
    const scenario = scenarios.find((name) => name.startsWith(`${scheme}-`));
    if (scenario === undefined) continue;
    const origin = servers[scheme]?.origin ?? '';
    let isRefused = false;
    const first = user(() => {
      isRefused = true;
    });
    const { status, error } = await first.request(scenario, performance.now());
    await first.close();
    if (isRefused) throw new CommandFailure(`${origin} answers X-Lastbyte-Load: no`, 'Ask whoever runs it.');
    if (error !== null) {
      const [, what, hint] = FAULTS.find(([pattern]) => pattern.test(error)) ?? OTHER_FAULT;
      throw new CommandFailure(`${origin} ${what} (${error})`, hint);
    }
    if (status !== null && status >= 200 && status <= 299) continue;
    const hint =
      status === 401
        ? 'Thousands of refusals would be measured: give --authorization.'
        : 'Give an address that is answered with 2xx: redirects are not followed.';
    throw new CommandFailure(`${origin} answers ${status}`, hint);
  }
}

async function openMetrics({ serverMetrics, cpuCounter }: LoadOptions): Promise<ServerMetrics | null> {
  if (serverMetrics === undefined) return null;
  const read = async () => {
    const response = await fetch(serverMetrics, { redirect: 'error', signal: AbortSignal.timeout(METRICS_MS) });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return response.text();
  };
  const metrics = await ServerMetrics.open(read, cpuCounter ?? null).catch((error: Error) => {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    throw new CommandFailure(
      `${serverMetrics} cannot be read (${cause?.code ?? error.message})`,
      'Check --server-metrics.',
    );
  });
  if (metrics !== null) return metrics;
  throw new CommandFailure(
    `${serverMetrics} has no ${cpuCounter ?? 'counter of CPU time that is known'}`,
    'Name one with --cpu-counter, such as process_cpu_seconds_total.',
  );
}

const METRICS_MS = 5_000;
const AUTHORIZATION_HINT = 'Give --authorization a file with the value of the header, such as Basic dXNlcjpwYXNz.';

interface Destination extends Collector {
  readonly site: string;
  readonly target: string;
}

function readDestination(options: LoadOptions): Destination | null {
  if (options.collector === undefined) return null;
  const collector = collectorAddress(options.collector, options);
  const key = ingestKey(process.env[KEY_VARIABLE] ?? '');
  if (options.target === undefined) throw new UsageFailure('the load has no app', 'Give --target with its id.');
  return { collector, key, site: siteLabel(options.site), target: options.target };
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
  else
    throw new CommandFailure(
      `${to.collector} did not take the load (${refused})`,
      'Check the address, the ingest key and the id; docs/wire-format.md has the codes.',
    );
}
