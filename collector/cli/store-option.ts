import { Option } from 'commander';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

export interface StoreOption {
  readonly data: string;
}

export function dataOption(): Option {
  return new Option('--data <dir>', 'data folder').default('./data');
}

/** Opens the store beside a server that may be running, and closes it whatever happens. */
export async function withStore<T>({ data }: StoreOption, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ folder: data, as: 'command' });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
