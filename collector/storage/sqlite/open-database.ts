import Database from 'better-sqlite3';

/** How long a writer waits for another process, such as `lastbyte token create` beside the server, ms. */
const BUSY_TIMEOUT_MS = 5000;
/**
 * A chunk is a blob of about 90 KB, and pages of 4 KB make twenty links of a chain of it, each found, summed, entered and
 * written by itself: a twentieth of all that a server does (https://www.sqlite.org/intern-v-extern-blob.html says the same).
 * The price is paid by a batch that is stored alone, whose commit writes 110 KB instead of 40. Databases from before keep
 * theirs.
 */
const PAGE_BYTES = 16_384;
/**
 * A server's log is copied into the database by a thread, long before that (checkpoint-log.ts); only if
 * there is always a reader in its way does the writer stop to do it.
 */
const MAX_LOG_BYTES = 2 ** 27;
/** Ids of batches may be random, whoever sends them: the pages they go to are read again and again unless they are kept. */
const CACHE_KIB = 32_768;

export interface DatabaseLocation {
  readonly file: string;
  /** The database may not grow past this; null leaves that to the disk. */
  readonly maxBytes: number | null;
}

/** A connection that may write. What it commits survives a power cut. */
export function openDatabase({ file, maxBytes }: DatabaseLocation): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Both only take effect while the file is empty. Room is given back a few pages at a time.
    database.pragma(`page_size = ${PAGE_BYTES}`);
    database.pragma('auto_vacuum = INCREMENTAL');
    // Readers don't stop the writer; an acknowledged commit survives a power cut.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    const pageBytes = database.pragma('page_size', { simple: true }) as number;
    database.pragma(`wal_autocheckpoint = ${MAX_LOG_BYTES / pageBytes}`);
    database.pragma(`cache_size = ${-CACHE_KIB}`);
    if (maxBytes !== null) database.pragma(`max_page_count = ${Math.floor(maxBytes / pageBytes)}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
