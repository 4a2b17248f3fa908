import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { startTargetSite, TARGET_HOST, TARGET_VARIANTS, type TargetSite } from '../lab/servers/target-site.ts';
import { note, printJson, printLines } from '../lib/print.ts';
import { untilStopped } from '../lib/until-stopped.ts';

const MAX_DELAY_MS = 60_000;

interface TargetOptions {
  readonly roundTrip: number;
  readonly serverDelay: number;
  readonly ca?: string;
  readonly json?: boolean;
}

export function targetCommand(): Command {
  return new Command('target')
    .description('serve a lab target whose delays are known and which tells the truth about each request')
    .option('--round-trip <ms>', 'delay of the network in both directions together', parseDelay, 0)
    .option('--server-delay <ms>', 'delay of the server', parseDelay, 0)
    .option('--ca <file>', 'write the authority of its certificate here, for lastbyte probe --ca')
    .option('--json', 'print {host, ports, path, roundTripMs, serverDelayMs} once it listens')
    .addHelpText(
      'after',
      '\nExample:\n  lastbyte target --round-trip 40 --ca target.pem\n  lastbyte probe https://target.localhost:<port>/4k --ca target.pem --proxy socks5://127.0.0.1:<port>',
    )
    .action(target);
}

async function target(options: TargetOptions): Promise<void> {
  const { roundTrip: roundTripMs, serverDelay: serverDelayMs } = options;
  const site = await startTargetSite({ now: Date.now(), roundTripMs, serverDelayMs });
  try {
    if (options.ca !== undefined) await writeFile(options.ca, site.authority);
    const { ports, path } = site;
    if (options.json) printJson({ host: TARGET_HOST, ports, path, roundTripMs, serverDelayMs });
    else printLines(...description(site));
    note('Stop it with Ctrl-C.');
    await untilStopped();
  } finally {
    await site.close();
  }
}

function description({ ports, path }: TargetSite): string[] {
  const width = Math.max(...TARGET_VARIANTS.map(({ length }) => length));
  return [
    ...TARGET_VARIANTS.map((variant) => `${variant.padEnd(width)}  https://${TARGET_HOST}:${ports[variant]}/4k`),
    'Each port answers http:// too. The start page lists the other paths.',
    `A path whose round trip the TCP handshake sees as well: ${path}`,
  ];
}

function parseDelay(text: string): number {
  const ms = Number(text);
  if (!/^\d{1,5}$/.test(text) || ms > MAX_DELAY_MS)
    throw new InvalidArgumentError(`It has to be 0 to ${MAX_DELAY_MS}.`);
  return ms;
}
