import { createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { switchedOff, validateSettings } from '../../shared/settings/validate-settings.ts';
import type { AppDeps } from '../http/api/app-deps.ts';
import type { RunningServer } from '../http/server.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { note, printLines } from '../lib/print.ts';
import { readText } from '../lib/read-text.ts';
import { untilStopped } from '../lib/stop-signal.ts';
import { VERSION } from '../lib/version.ts';
import { PACKAGES_FOLDER } from '../rollout/package/packages-record.ts';
import { SIGNING_KEY_FILE } from '../rollout/package/signing-key.ts';
import { openStore, parseClickHouseAddress } from '../storage/open-store.ts';
import type { MaintenanceJob, Store } from '../storage/store.ts';
import { StoreError, toReason } from '../storage/store-error.ts';
import { firstToken } from './first-token.ts';
import { addOutgoingOptions, type OutgoingOption, parseTrustedProxies, toOutgoing } from './network-options.ts';
import { checkAddress, dataOption, refusedClusterOption } from './store-option.ts';
import { MAX_PORT, wholeNumber } from './whole-number.ts';

interface ServeOptions extends OutgoingOption {
  readonly host: string;
  readonly port: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** True if the option has no value. */
  readonly trustProxy?: true | AppDeps['trustProxy'];
  readonly otlp?: string;
  readonly control?: string;
  readonly packages?: string;
  readonly reports?: string;
  readonly samples?: string;
}

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('run the collector: accepts batches, serves the dashboard')
    .option('--host <address>', 'address to bind', '127.0.0.1')
    .option('--port <number>', 'port to bind; 0 lets the system choose', wholeNumber(0, MAX_PORT), 8642)
    .option('--tls-cert <file>', 'certificate chain, PEM')
    .option('--tls-key <file>', 'private key, PEM')
    .option('--otlp <url>', 'push metrics to this address by OTLP over HTTP, besides /metrics', parseOtlp)
    .option(
      '--trust-proxy [proxies]',
      'a proxy in front terminates TLS and passes client, host and scheme in X-Forwarded-*; how many in a row (default: 1), or their addresses',
      parseTrustedProxies,
    )
    .option(
      '--packages <dir>',
      `folder of lastbyte package, offered at /install (default: ${PACKAGES_FOLDER} in the data folder)`,
    )
    .option(
      '--samples <address>',
      'keep samples in ClickHouse: clickhouse://user@ch1:8123/lastbyte; its password in LASTBYTE_CLICKHOUSE_PASSWORD (default: in the data folder)',
    )
    .addOption(refusedClusterOption())
    .option('--reports <dir>', 'folder for scheduled reports (default: reports in the data folder)');
  return addOutgoingOptions(command)
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  lastbyte serve --port 8642 --data ./data')
    .action(serve);
}

const MAINTENANCE_FAILED: Readonly<Record<MaintenanceJob, string>> = {
  rollup: 'rollups could not be updated, and will be retried',
  forward: 'samples could not be forwarded; they stay here until they can be',
  finalize: 'a day or a month could not be finalized, and will be retried',
  prune: 'old data could not be removed; this will be retried',
  quarantine: 'quarantine',
  log: 'the write-ahead log could not be copied into the database; this will be retried',
  clock: 'the last seen time could not be stored; this will be retried',
};

/** With what to do about it; with the cause where that is unknown: "the store failed" alone does not help. */
function maintenanceReason(error: unknown): string {
  if (!(error instanceof StoreError)) return toReason(error);
  return error.code === 'store_failed' ? `${error.message} (${toReason(error)})` : `${error.message}. ${error.hint}`;
}

async function serve(options: ServeOptions): Promise<void> {
  refuseOpenBind(options);
  const tls = await readTls(options);
  const samples =
    options.samples === undefined
      ? null
      : parseClickHouseAddress(options.samples, process.env.LASTBYTE_CLICKHOUSE_PASSWORD);
  await checkAddress('--samples', samples?.url);
  await checkAddress('--control', options.control);
  await checkAddress('--otlp', options.otlp);
  const store = await openStore({
    folder: options.data,
    control: options.control,
    as: 'server',
    samples,
    threadScript: new URL('./store-thread.mjs', import.meta.url),
    onNotice: (text) => note(`lastbyte: ${text}`),
    onMaintenanceError: (error, job) => note(`lastbyte: ${MAINTENANCE_FAILED[job]}: ${maintenanceReason(error)}`),
  });
  try {
    const server = await listen(options, store, tls);
    await noteSwitchedOff(store);
    if (tls !== null) noteSlowKey(tls.key);
    const token = await firstToken(store, Date.now());
    printLines(...welcome(server.url, options, token));
    await untilStopped();
    await server.close();
  } finally {
    await store.close();
  }
}

/** Earlier versions accepted what this one refuses. Measuring continues; the feature it concerns is off or fails. */
async function noteSwitchedOff(store: Store): Promise<void> {
  // Settings that this version cannot read are reported where they are used.
  const stored = validateSettings((await store.settings.read())?.document);
  for (const { path, message, hint } of stored.ok ? switchedOff(stored.settings) : []) {
    note(`lastbyte: settings ${path}: ${message}. ${hint}`);
  }
}

/** A signature takes the event loop 5 ms with a 4096-bit RSA key, 1 ms with 2048 bits, and 0.1 ms with ECDSA P-256. */
const LARGE_RSA_BITS = 2048;

function noteSlowKey(key: string): void {
  const bits = createPrivateKey(key).asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits <= LARGE_RSA_BITS) return;
  note(
    `lastbyte: the TLS key is RSA with ${bits} bits, so each new connection costs several times as much processor time. Use an ECDSA key (P-256), or RSA with ${LARGE_RSA_BITS} bits.`,
  );
}

/** Keys and users' timings must not travel in the clear. */
function refuseOpenBind({ host, tlsCert, trustProxy }: ServeOptions): void {
  if (isLoopback(host) || tlsCert !== undefined || trustProxy) return;
  throw new UsageFailure(
    `${host} can be reached from other machines, and there is no TLS`,
    'Add --tls-cert and --tls-key, or --trust-proxy if a proxy in front terminates TLS.',
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

async function readTls({ tlsCert, tlsKey }: ServeOptions): Promise<{ cert: string; key: string } | null> {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageFailure('TLS needs both files', 'Give --tls-cert and --tls-key together.');
  }
  const [cert, key] = await Promise.all([tlsCert, tlsKey].map((file) => readText(file)));
  return { cert: cert ?? '', key: key ?? '' };
}

async function listen(options: ServeOptions, store: Store, tls: { cert: string; key: string } | null) {
  const { host, port } = options;
  const trustProxy = options.trustProxy === true ? 1 : (options.trustProxy ?? false);
  // Imported here, because the other commands start faster without it.
  const { startServer } = await import('../http/server.ts');
  try {
    return await startServer(
      {
        store,
        clock: Date.now,
        version: VERSION,
        dashboardFolder: builtDashboard(),
        packagesFolder: resolve(options.packages ?? join(options.data, PACKAGES_FOLDER)),
        signingKeyFile: resolve(options.data, SIGNING_KEY_FILE),
        reportsFolder: options.reports ?? join(options.data, 'reports'),
        reportThread: new URL('./report-thread.mjs', import.meta.url),
        loopbackOnly: isLoopback(host) && trustProxy === false,
        trustProxy,
        tls,
        outgoing: toOutgoing(options),
        otlpUrl: options.otlp ?? null,
        log: process.stderr,
      },
      { host, port },
    );
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

/** In the folder of the built command, whatever the current folder is. */
function builtDashboard(): string | null {
  const folder = fileURLToPath(new URL('./dashboard/', import.meta.url));
  if (existsSync(folder)) return folder;
  note(`lastbyte: there is no dashboard in ${folder}; build it with: npm run build`);
  return null;
}

function listenFailure(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE') {
    return new CommandFailure(`port ${port} on ${host} is in use`, 'Stop what uses it, or choose another with --port.');
  }
  if (code === 'EACCES') {
    return new CommandFailure(`this user may not open port ${port}`, 'Choose one above 1023 with --port.');
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CommandFailure(`${host} is not an address of this machine`, 'Choose one with --host.');
  }
  if (code.startsWith('ERR_OSSL') || code.startsWith('ERR_SSL')) {
    return new CommandFailure('the certificate or its key cannot be used', 'Give two PEM files that belong together.');
  }
  return error;
}

function welcome(url: RunningServer['url'], { host, data, trustProxy }: ServeOptions, token: string | null): string[] {
  const lines = [`Lastbyte collects at ${url}, data in ${data}. Stop with Ctrl+C.`];
  if (token === null) return lines;
  // Extensions packaged with a loopback address could not reach the collector from another machine.
  const address = isLoopback(host) && !trustProxy ? url : 'https://NAME';
  return [
    ...lines,
    '',
    'Your admin token, shown this once:',
    `  ${token}`,
    '',
    `Next: open ${address}/ and sign in with the token.`,
    'The dashboard then leads to the first numbers, in five steps. docs/rollout.md has the same steps as commands.',
    ...(address === url ? [] : ["NAME is the collector's host name for browsers, with the port if it is not 443."]),
  ];
}

function parseOtlp(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It has to be an http or https address, such as http://127.0.0.1:4318.');
}
