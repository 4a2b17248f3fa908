import { Option } from 'commander';
import { note } from '../lib/print.ts';
import { openStore } from '../storage/open-store.ts';
import type { Store } from '../storage/store.ts';

export interface StoreOption {
  readonly data: string;
  /** Every command with a data folder has it: see program.ts. */
  readonly control?: string;
}

export function dataOption(): Option {
  return new Option('--data <dir>', 'data folder').default('./data');
}

export function clusterOption(): Option {
  return new Option(
    '--cluster <name>',
    'cluster of ClickHouse whose shards and replicas have the samples, by its name there (default: one server)',
  );
}

export function controlOption(): Option {
  return new Option(
    '--control <url>',
    'PostgreSQL database with the settings, tokens and alerts of several collectors',
  ).env('LASTBYTE_CONTROL');
}

/**
 * Opens the store, which a server may have open too, and closes it whatever happens. Only commands that start something
 * may `create` it: a mistyped folder must not look like an empty collector.
 */
export async function withStore<T>(
  { data, control }: StoreOption,
  work: (store: Store) => Promise<T>,
  { create = false } = {},
): Promise<T> {
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
