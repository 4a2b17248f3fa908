import { Option } from 'commander';
import { UsageFailure } from '../lib/failure.ts';
import { note } from '../lib/print.ts';
import { checkOperatorAddress } from '../outgoing/operator-address.ts';
import { openStore } from '../storage/open-store.ts';
import { parseControlAddress } from '../storage/postgres/control-address.ts';
import type { Store } from '../storage/store.ts';

/** What commands with a data folder have in common. */
export interface StoreOption {
  readonly data: string;
  /** Every command with a data folder has it: see program.ts. */
  readonly control?: string;
  readonly create?: boolean;
  readonly json?: boolean;
}

export function dataOption(): Option {
  return new Option('--data <dir>', 'data folder').default('./data').env('LASTBYTE_DATA');
}

/** For commands that may come before the first start of the server. */
export function createOption(): Option {
  return new Option('--create', 'make the data folder if there is none yet');
}

/** Earlier versions spread tables over a cluster. */
export function refusedClusterOption(): Option {
  return new Option('--cluster <name>').hideHelp().argParser(() => {
    throw new UsageFailure(
      'Lastbyte does not spread tables over a cluster',
      "Leave out --cluster and name one address. Distributing its tables is ClickHouse's business: docs/scale.md.",
    );
  });
}

export function controlOption(): Option {
  return new Option(
    '--control <url>',
    'PostgreSQL database with the settings, tokens and alerts of several collectors',
  ).env('LASTBYTE_CONTROL');
}

/** PostgreSQL's may name another host as a parameter. Otherwise what is no URL is left to whatever reads it. */
export async function checkAddress(option: string, address: string | null | undefined): Promise<void> {
  if (address == null) return;
  if (option === '--control') await checkOperatorAddress(option, parseControlAddress(address).host);
  else if (URL.canParse(address)) await checkOperatorAddress(option, new URL(address).hostname);
}

/**
 * Opens the store, which a server may have open too, and closes it whatever happens. A new one is made only with --create: a
 * mistyped or forgotten folder must not look like an empty collector.
 */
export async function withStore<T>(
  { data, control, create = false }: StoreOption,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  await checkAddress('--control', control);
  const store = await openStore({
    folder: data,
    control,
    as: 'command',
    create,
    samplesPassword: process.env.LASTBYTE_CLICKHOUSE_PASSWORD,
    onNotice: (text) => note(`lastbyte: ${text}`),
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
