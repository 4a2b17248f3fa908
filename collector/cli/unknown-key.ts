import { hashToken } from '../http/auth/token-text.ts';
import { StoreError } from '../storage/store-error.ts';
import { type StoreOption, withStore } from './store-option.ts';

/** Says that the collector of the data folder will refuse browsers with this key. Empty where no collector's data are at hand. */
export async function warnUnknownKey(key: string, options: StoreOption): Promise<readonly string[]> {
  try {
    const token = await withStore({ ...options, create: false }, (store) => store.tokens.findByHash(hashToken(key)));
    if (token?.role === 'ingest') return [];
  } catch (error) {
    // Policies may be written on another machine than the collector's.
    if (error instanceof StoreError && error.code === 'data_folder_unusable') return [];
    throw error;
  }
  return [
    `The collector of ${options.data} has no such key, and refuses browsers that send it: lastbyte token create --role ingest makes one.`,
  ];
}
