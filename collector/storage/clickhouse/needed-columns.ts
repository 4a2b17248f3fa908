import { ORIGIN_COLUMNS, OWN_COLUMNS, type TableColumn } from './sample-table.ts';

/** The columns of one statement that reads samples. */
export interface FetchedColumns {
  readonly columns: readonly TableColumn[];
  /** Whether what is used of them decides which columns the next statement has. */
  readonly isTrial: boolean;
  /** To be called before a column is read. @throws ColumnNotFetched */
  use(name: string): void;
}

/** Which columns one job fetches. */
export interface NeededColumns {
  /** For the next range that the job opens. */
  ofRange(): RangeColumns;
}

export interface RangeColumns {
  /**
   * Those of the next statement.
   * @param isFirst of a pass over the samples, which shows what those after it need
   */
  ofNext(isFirst: boolean): FetchedColumns;
}

class ColumnNotFetched extends Error {
  readonly range: Known;
  readonly statement: number;
  constructor(range: Known, statement: number) {
    super();
    this.range = range;
    this.statement = statement;
  }
}

const FETCH_ALL: FetchedColumns = { columns: OWN_COLUMNS, isTrial: false, use: () => {} };
export const ALL_COLUMNS: NeededColumns = { ofRange: () => ({ ofNext: () => FETCH_ALL }) };

/** What is known of one range that a reading opens. */
interface Known {
  readonly used: Set<string>;
  /** The statements at which the job had to start again. */
  readonly restartedAt: Set<number>;
  /** Whether a job that read samples of it has been answered. */
  isComplete: boolean;
}

/** By the name of the reading, of each of the ranges that it opens one after the other. */
const knownOf = new Map<string, Known[]>();

/**
 * Fetches what a reading uses: of forty columns, most read ten. The first samples of its passes are given all and show which;
 * once it is answered, these are known. One that uses another column later starts again from the beginning, since two statements
 * need not return rows in the same order; the statement at which it did then has all columns.
 */
export async function withNeededColumns<T>(reading: string, run: (columns: NeededColumns) => Promise<T>): Promise<T> {
  const known = knownOf.get(reading) ?? [];
  knownOf.set(reading, known);
  for (;;) {
    const read = new Set<Known>();
    let opened = 0;
    try {
      const result = await run({
        ofRange() {
          known[opened] ??= { used: new Set(), restartedAt: new Set(), isComplete: false };
          return columnsOf(known[opened++] as Known, (own) => read.add(own));
        },
      });
      for (const own of read) {
        own.isComplete = true;
        own.restartedAt.clear();
      }
      return result;
    } catch (error) {
      // Each time, another column is known.
      if (!(error instanceof ColumnNotFetched)) throw error;
      error.range.restartedAt.add(error.statement);
    }
  }
}

const OF_ORIGIN: ReadonlySet<string> = new Set(ORIGIN_COLUMNS.map(({ name }) => name));

function columnsOf(range: Known, isRead: (range: Known) => void): RangeColumns {
  let statements = 0;
  return {
    ofNext(isFirst) {
      isRead(range);
      const statement = statements++;
      const isTrial = (isFirst && !range.isComplete) || range.restartedAt.has(statement);
      const names = isTrial ? null : new Set(range.used);
      return {
        columns: OWN_COLUMNS.filter(({ name }) => name === 'at' || names === null || names.has(name)),
        isTrial,
        use(name) {
          range.used.add(name);
          if (names === null || names.has(name)) return;
          // A reading that keeps what samples have in common uses more of it later.
          if (OF_ORIGIN.has(name)) for (const other of OF_ORIGIN) range.used.add(other);
          throw new ColumnNotFetched(range, statement);
        },
      };
    },
  };
}
