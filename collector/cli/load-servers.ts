import { lookup } from 'node:dns/promises';
import { createInterface } from 'node:readline/promises';
import { createSecureContext } from 'node:tls';
import { hasCredentials, parseHttpUrl } from '../../shared/redact/http-url.ts';
import type { LoadScenario } from '../analysis/load/loaded-request.ts';
import type { LoadServer } from '../lab/load/load-connection.ts';
import { ServerMetrics } from '../lab/load/server-metrics.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
import { readText } from '../lib/read-text.ts';
import { isLoopbackHost } from '../rollout/package/check-enrolment.ts';

/** @throws UsageFailure */
export function addressOf(text: string): URL {
  if (parseHttpUrl(text) === null) {
    throw new UsageFailure(`${text} is not an address`, 'Include the scheme: https://erp.example.com/logo.png');
  }
  if (hasCredentials(text)) {
    throw new UsageFailure('the address names a user', 'Write the header into a file and give it as --authorization.');
  }
  return new URL(text);
}

/** Who loads a server that is not theirs attacks it. @param owned hosts that were named as one's own */
export async function checkOwner(host: string, owned: readonly string[]): Promise<void> {
  if (isLoopbackHost(host) || owned.some((each) => each.toLowerCase() === host)) return;
  const left = new UsageFailure(`${host} is not this machine`, `If it is yours to load, add --yes-i-own ${host}.`);
  if (!process.stdin.isTTY) throw left;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const question = `${host} is not this machine. To load it, type its name: `;
  const typed = await asking.question(question).catch(() => ''); // Ctrl-C is a no
  asking.close();
  if (typed.trim().toLowerCase() !== host) throw left;
}

export interface ServerOptions extends Pick<LoadServer, 'tls' | 'http2' | 'timeoutMs'> {}

/** @throws CommandFailure */
export async function serverOf(
  { origin, hostname, port, protocol, pathname, search }: URL,
  options: ServerOptions,
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
    path: pathname + search,
    ...options,
  };
}

/** Certificate and key of a client. @throws CommandFailure */
export async function readClientCertificate(file: string): Promise<Pick<LoadServer['tls'], 'cert' | 'key'>> {
  const hint = 'Give --client-certificate a PEM with the certificate and its key.';
  const pem = await readText(file, hint);
  try {
    createSecureContext({ cert: pem, key: pem });
  } catch {
    throw new CommandFailure(`${file} holds no certificate with its key`, hint);
  }
  return { cert: pem, key: pem };
}

/** The value of a header. @throws CommandFailure */
export async function readAuthorization(file: string): Promise<string> {
  const hint = 'Give --authorization a file with the value of the header, such as Basic dXNlcjpwYXNz.';
  const value = (await readText(file, hint)).trim();
  if (!/^[\x20-\x7e]+$/.test(value)) throw new CommandFailure(`${file} holds no header value`, hint);
  return value;
}

const FAULTS: readonly (readonly [RegExp, string, string])[] = [
  [/^ECONNREFUSED$/, 'refuses connections', 'Check the port, and that the server is running.'],
  [/TIMEOUT|ETIMEDOUT/, 'does not answer', 'Check the address, or wait longer with --timeout.'],
  [/CERT|SIGNATURE|ISSUER|ALTNAME/, 'has a certificate that is not trusted', 'Give its authority with --ca.'],
  [/ALPN|HTTP2|H2|NO_APPLICATION_PROTOCOL/, 'does not speak HTTP/2', 'Leave out --http2.'],
  [/WRONG_VERSION_NUMBER|HTTPParser/, 'speaks another protocol at this port', 'Check the scheme and the port.'],
  [
    /SOCKET|ECONNRESET|EPIPE/,
    'closes the connection before it has answered',
    'Check its log, and whether it expects TLS.',
  ],
];

const OTHER_FAULT = [/./, 'cannot be requested', 'Check the address.'] as const;

/** One request each, so that not thousands of them are wrong. */
export async function checkAnswers(
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

/** null if none were asked for. @throws CommandFailure */
export async function openMetrics(
  serverMetrics: string | undefined,
  cpuCounter: string | undefined,
): Promise<ServerMetrics | null> {
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

const METRICS_MS = 2_000;
