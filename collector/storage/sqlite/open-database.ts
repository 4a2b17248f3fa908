import Database from 'better-sqlite3';
import type { ClickHouseAddress } from '../clickhouse/clickhouse-address.ts';

/** How long a writer waits for another process, such as `lastbyte token create` run alongside the server, ms. */
const BUSY_TIMEOUT_MS = 5000;
/**
 * A chunk is a blob of about 90 KB, which pages of 4 KB split into a chain of twenty, each allocated, checksummed and written
 * separately: a twentieth of a server's work (see also https://www.sqlite.org/intern-v-extern-blob.html). The cost is that a
 * batch stored alone writes 110 KB per commit instead of 40. Existing databases keep their page size.
 */
const PAGE_BYTES = 16_384;
/**
 * A thread copies a server's log into the database long before this size (checkpoint-log.ts); the writer does so itself only
 * if a reader is always in the way.
 */
const MAX_LOG_BYTES = 2 ** 27;
/** Size to which a log that has been larger is cut when it is restarted. */
const KEPT_LOG_BYTES = 2 ** 24;
/** Batch ids may be random, so the pages they are inserted into would be read repeatedly without a cache. */
const CACHE_KIB = 32_768;

export interface DatabaseLocation {
  readonly file: string;
  /** Where samples are forwarded to and read from; absent if they stay in this database. */
  readonly clickHouse?: ClickHouseAddress | null;
  /** Limit of the database's size; null is limited by the disk alone. */
  readonly maxBytes: number | null;
  /** The settings in force are the copy of those in a shared control database (control-copy.ts). False by default. */
  readonly sharedControl?: boolean;
}

/** A connection that may write. What it commits survives a power cut. */
export function openDatabase({ file, maxBytes }: DatabaseLocation): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Later neither takes effect, and the second would write to a file that this version may have to refuse.
    if (database.pragma('page_count', { simple: true }) === 0) {
      database.pragma(`page_size = ${PAGE_BYTES}`);
      // Space is freed a few pages at a time.
      database.pragma('auto_vacuum = INCREMENTAL');
    }
    // Readers don't stop the writer; an acknowledged commit survives a power cut.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    // Clears deleted rows on pages that are written anyway. Clearing the pages that expiry frees would write all of them again.
    database.pragma('secure_delete = FAST');
    const pageBytes = database.pragma('page_size', { simple: true }) as number;
    database.pragma(`wal_autocheckpoint = ${MAX_LOG_BYTES / pageBytes}`);
    database.pragma(`journal_size_limit = ${KEPT_LOG_BYTES}`);
    database.pragma(`cache_size = ${-CACHE_KIB}`);
    if (maxBytes !== null) database.pragma(`max_page_count = ${Math.floor(maxBytes / pageBytes)}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
