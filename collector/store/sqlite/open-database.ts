import Database from 'better-sqlite3';

/** How long a writer waits for another process, such as `lastbyte token create` beside the server, ms. */
const BUSY_TIMEOUT_MS = 5000;
/**
 * Pages of 4 KB. A server's log is copied into the database by a thread, long before that (checkpoint-log.ts); only if
 * there is always a reader in its way does the writer stop to do it.
 */
const MAX_LOG_PAGES = 32_768;
/** Ids of batches may be random, whoever sends them: the pages they go to are read again and again unless they are kept. */
const CACHE_KIB = 32_768;

export interface DatabasePlace {
  readonly file: string;
  /** The database may not grow past this; null leaves that to the disk. */
  readonly maxBytes: number | null;
}

/** A connection that may write. What it commits survives a power cut. */
export function openDatabase({ file, maxBytes }: DatabasePlace): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Only takes effect while the file is empty: room is given back a few pages at a time.
    database.pragma('auto_vacuum = INCREMENTAL');
    // Readers don't stop the writer; an acknowledged commit survives a power cut.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
    database.pragma(`cache_size = ${-CACHE_KIB}`);
    if (maxBytes !== null) {
      const pageSize = database.pragma('page_size', { simple: true }) as number;
      database.pragma(`max_page_count = ${Math.floor(maxBytes / pageSize)}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
