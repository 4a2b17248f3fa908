import { hashToken } from '../http/auth/token-text.ts';
import { StoreError } from '../storage/store-error.ts';
import { type StoreOption, withStore } from './store-option.ts';

/** A warning if the collector of the data folder would refuse browsers with this key; empty if there is no such folder. */
export async function warnUnknownKey(key: string, options: StoreOption): Promise<readonly string[]> {
  try {
    const token = await withStore({ ...options, create: false }, (store) => store.tokens.findByHash(hashToken(key)));
    if (token?.role === 'ingest') return [];
  } catch (error) {
    // The policy may be written on a machine other than the collector's.
    if (error instanceof StoreError && error.code === 'data_folder_unusable') return [];
    throw error;
  }
  return [
    `The collector of ${options.data} has no such key, and refuses browsers that send it: lastbyte token create --role ingest makes one.`,
  ];
}
