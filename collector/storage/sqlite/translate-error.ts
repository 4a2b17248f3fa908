import { StoreError } from '../store-error.ts';

/** SQLite's result codes (https://www.sqlite.org/rescode.html) in the words of the Store contract. */
export function translateError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  if (code.startsWith('SQLITE_FULL')) {
    return new StoreError('store_full', 'the disk is full', 'Free space on the disk of the data folder.', error);
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new StoreError('store_busy', 'the store is busy with another command', 'Try again in a moment.', error);
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return new StoreError(
      'store_corrupt',
      'the database file is damaged',
      'Stop the collector and restore a copy made by lastbyte backup.',
      error,
    );
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|IOERR|AUTH)/.test(code)) {
    return new StoreError(
      'data_folder_unusable',
      'the data folder cannot be written',
      'Check its owner, its permissions and its disk, or name another one with --data.',
      error,
    );
  }
  return new StoreError('store_failed', 'the store failed', 'This is a defect; please report it.', error);
}

/** Runs `work` and translates its errors to StoreErrors. */
export function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateError(error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
