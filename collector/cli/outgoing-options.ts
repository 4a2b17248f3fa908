import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { parseRange } from '../outgoing/address-rules.ts';
import { createOutgoing, type Outgoing } from '../outgoing/outgoing.ts';
import type { StoreOption } from './store-option.ts';

export interface OutgoingOption extends StoreOption {
  readonly secretsDir?: string;
  readonly outgoingAllow?: readonly string[];
  readonly outgoingDeny?: readonly string[];
}

/** On the command line only: an admin over HTTP must not be able to widen what settings reach. */
export function addOutgoingOptions(command: Command): Command {
  return command
    .option('--secrets-dir <dir>', 'folder of the files that settings may name (default: secrets in the data folder)')
    .option(
      '--outgoing-allow <ranges>',
      'let webhooks and mail reach addresses, such as 127.0.0.1,fd00::/8',
      parseRanges,
    )
    .option('--outgoing-deny <ranges>', 'keep them from addresses, such as 10.0.0.0/8; repeatable', parseRanges);
}

export function outgoingOf({ data, secretsDir, outgoingAllow, outgoingDeny }: OutgoingOption): Outgoing {
  return createOutgoing({
    ...(outgoingAllow && { allow: outgoingAllow }),
    ...(outgoingDeny && { deny: outgoingDeny }),
    secrets: { folder: secretsDir ?? join(data, 'secrets'), environment: process.env },
  });
}

function parseRanges(text: string, before: readonly string[] = []): readonly string[] {
  const ranges = text.split(',').map((range) => range.trim());
  try {
    for (const range of ranges) parseRange(range);
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(error.message) : error;
  }
  return [...before, ...ranges];
}
