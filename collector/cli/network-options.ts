import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { AppDeps } from '../http/api/app-deps.ts';
import { parseRange } from '../outgoing/address-rules.ts';
import { createOutgoing, type Outgoing } from '../outgoing/outgoing.ts';
import type { StoreOption } from './store-option.ts';

const MAX_HOPS = 9;

export interface OutgoingOption extends StoreOption {
  readonly secretsDir?: string;
  readonly outgoingAllow?: readonly string[];
  readonly outgoingDeny?: readonly string[];
}

/** Only on the command line: an admin over HTTP must not be able to widen what settings may connect to. */
export function addOutgoingOptions(command: Command): Command {
  const collect = (text: string, before: readonly string[] = []) => [...before, ...parseRanges(text)];
  return command
    .option('--secrets-dir <dir>', 'folder of the files that settings may name (default: secrets in the data folder)')
    .option('--outgoing-allow <ranges>', 'let webhooks and mail reach addresses, such as 127.0.0.1,fd00::/8', collect)
    .option('--outgoing-deny <ranges>', 'keep them from addresses, such as 10.0.0.0/8; repeatable', collect);
}

export function toOutgoing({ data, secretsDir, outgoingAllow, outgoingDeny }: OutgoingOption): Outgoing {
  return createOutgoing({
    ...(outgoingAllow && { allow: outgoingAllow }),
    ...(outgoingDeny && { deny: outgoingDeny }),
    secrets: { folder: secretsDir ?? join(data, 'secrets'), environment: process.env },
  });
}

/** Value of `--trust-proxy`: the number of proxies in a row, or their addresses. */
export function parseTrustedProxies(text: string): AppDeps['trustProxy'] {
  if (!/^\d+$/.test(text)) return parseRanges(text);
  const hops = Number(text);
  if (hops >= 1 && hops <= MAX_HOPS) return hops;
  throw new InvalidArgumentError(`It has to be 1 to ${MAX_HOPS} proxies in a row.`);
}

function parseRanges(text: string): string[] {
  const ranges = text.split(',').map((range) => range.trim());
  try {
    for (const range of ranges) parseRange(range);
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(error.message) : error;
  }
  return ranges;
}
