import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { note, printJson, printLines } from '../lib/print.ts';
import { untilStopped } from '../lib/stop-signal.ts';
import { wholeNumber } from './whole-number.ts';

const MAX_DELAY_MS = 60_000;

interface TargetOptions {
  readonly roundTrip: number;
  readonly serverDelay: number;
  readonly ca?: string;
  readonly matrix?: boolean;
  readonly clientCertificate?: string;
  readonly json?: boolean;
}

export function targetCommand(): Command {
  return new Command('target')
    .description('serve lab servers with known delays, which report the truth about each request')
    .option('--round-trip <ms>', 'delay of the network in both directions together', wholeNumber(0, MAX_DELAY_MS), 0)
    .option('--server-delay <ms>', 'delay of the server', wholeNumber(0, MAX_DELAY_MS), 0)
    .option('--ca <file>', 'write the certificate authority to this file, for lastbyte probe --ca')
    .option('--matrix', 'servers that differ in what their handshakes cost instead, for lastbyte load --matrix')
    .option('--client-certificate <file>', 'with --matrix: write a certificate for clients, with its key, to this file')
    .option('--json', 'print {host, ports, path, roundTripMs, serverDelayMs} once it listens')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte target --round-trip 40 --ca target.pem\n  lastbyte probe https://target.localhost:<port>/4k --ca target.pem --proxy socks5://127.0.0.1:<port>',
    )
    .action(target);
}

async function target(options: TargetOptions): Promise<void> {
  const { roundTrip: roundTripMs, serverDelay: serverDelayMs } = options;
  if (options.matrix) return matrix(options);
  // Imported here, because the certificate library is large and no other command needs it.
  const { LAB_HOST, LAB_VARIANTS, startLabSite } = await import('../lab/servers/lab-site.ts');
  const site = await startLabSite({ now: Date.now(), roundTripMs, serverDelayMs });
  try {
    const { ports, path, authority } = site;
    if (options.ca !== undefined) await writeFile(options.ca, authority);
    if (options.json) printJson({ host: LAB_HOST, ports, path, roundTripMs, serverDelayMs });
    else {
      const width = Math.max(...LAB_VARIANTS.map(({ length }) => length));
      printLines(
        ...LAB_VARIANTS.map((variant) => `${variant.padEnd(width)}  https://${LAB_HOST}:${ports[variant]}/4k`),
        'Each port serves http:// too. The start page lists the other paths.',
        `A path that delays the TCP handshake as well: ${path}`,
      );
    }
    note('Stop it with Ctrl-C.');
    await untilStopped();
  } finally {
    await site.close();
  }
}

async function matrix({ serverDelay, ca, clientCertificate, json }: TargetOptions): Promise<void> {
  const [{ startMatrixSite }, { LAB_HOST }] = await Promise.all([
    import('../lab/servers/matrix-site.ts'),
    import('../lab/servers/lab-site.ts'),
  ]);
  note('Making keys.');
  const site = await startMatrixSite(Date.now(), serverDelay);
  try {
    if (ca !== undefined) await writeFile(ca, site.authorities);
    if (clientCertificate !== undefined) await writeFile(clientCertificate, site.client, { mode: 0o600 });
    const { ports } = site;
    const [first] = Object.values(ports);
    if (json) printJson({ host: LAB_HOST, ports });
    else {
      printLines(
        ...Object.entries(ports).map(([name, port]) => `${name.padEnd(18)}  https://${LAB_HOST}:${port}/10m`),
        `CPU time of all: http://127.0.0.1:${first}/metrics`,
      );
    }
    note('Stop it with Ctrl-C.');
    await untilStopped();
  } finally {
    await site.close();
  }
}
