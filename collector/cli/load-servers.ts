import { lookup } from 'node:dns/promises';
import { createInterface } from 'node:readline/promises';
import { hasCredentials, parseHttpUrl } from '../../shared/redact/http-url.ts';
import type { LoadScenario } from '../analysis/load/loaded-request.ts';
import type { LoadServer } from '../lab/load/load-connection.ts';
import { ServerMetrics } from '../lab/load/server-metrics.ts';
import { CommandFailure, UsageFailure } from '../lib/failure.ts';
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

/** Who loads a server that is not theirs attacks it. */
export async function checkOwner(host: string, owned: string | undefined): Promise<void> {
  if (isLoopbackHost(host) || owned === host) return;
  const hint = `If it is yours to load, add --yes-i-own ${host}.`;
  if (!process.stdin.isTTY) throw new UsageFailure(`${host} is not this machine`, hint);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await asking.question(`${host} is not this machine. To load it, type its name: `);
  asking.close();
  if (typed.trim() !== host) throw new UsageFailure(`${host} is left alone`, hint);
}

/** @throws CommandFailure */
export async function serverOf(
  { origin, hostname, port, protocol }: URL,
  tls: LoadServer['tls'],
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
    tls,
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

const METRICS_MS = 5_000;
