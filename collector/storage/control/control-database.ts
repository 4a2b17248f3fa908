/** A database with the tables of control data, which every engine names alike. */
export interface ControlDatabase {
  readonly schema: string;
  /** Collation that compares bytes. */
  readonly bytewise: string;
  /** Condition for sessions that have ended at `@now`. */
  readonly hasEnded: string;
  /** Runs one statement; values are bound by name, as in `@id`. Throws a StoreError. */
  query<R>(sql: string, values?: object): Promise<R[]>;
  /** Runs the statements in one transaction, in which nothing else writes `table`. Throws a StoreError; then nothing is written. */
  transaction<T>(table: string, work: () => Statements<T>): Promise<T>;
}

/**
 * Yields each statement with its values, and gets its rows. SQLite runs all without a pause, because other work over the same
 * connection would become part of the transaction; PostgreSQL is waited for.
 */
export type Statements<T> = Generator<readonly [sql: string, values?: object], T, Readonly<Record<string, unknown>>[]>;
