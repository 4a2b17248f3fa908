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
  /** @param isFirst of a pass over the samples, which shows what those after it need */
  fetch(isFirst: boolean): FetchedColumns;
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
export const ALL_COLUMNS: NeededColumns = { ofRange: () => ({ fetch: () => FETCH_ALL }) };

interface Known {
  readonly used: Set<string>;
  /** Which statements of the job showed something when it had to start again. */
  readonly telling: Set<number>;
  /** Whether a job that read such a range has ended. */
  isComplete: boolean;
}

/** By the name of the reading, of each of the ranges that it opens one after the other. */
const knownOf = new Map<string, Known[]>();

/**
 * Fetches what a reading uses: of forty columns, most read ten. The first samples of its passes are given all and show which;
 * once it is answered, these are known. One that reads another column later on starts again, with all columns where it did:
 * two statements need not return rows in the same order.
 */
export function withNeededColumns<T>(reading: string, run: (columns: NeededColumns) => T): T {
  const known = knownOf.get(reading) ?? [];
  knownOf.set(reading, known);
  for (;;) {
    let opened = 0;
    try {
      const result = run({
        ofRange() {
          known[opened] ??= { used: new Set(), telling: new Set(), isComplete: false };
          return columnsOf(known[opened++] as Known);
        },
      });
      for (const own of known.slice(0, opened)) {
        own.isComplete = true;
        own.telling.clear();
      }
      return result;
    } catch (error) {
      // Each time, another column is known.
      if (!(error instanceof ColumnNotFetched)) throw error;
      error.range.telling.add(error.statement);
    }
  }
}

const OF_ORIGIN: ReadonlySet<string> = new Set(ORIGIN_COLUMNS.map(({ name }) => name));

function columnsOf(range: Known): RangeColumns {
  let statements = 0;
  return {
    fetch(isFirst) {
      const statement = statements++;
      const isTrial = (isFirst && !range.isComplete) || range.telling.has(statement);
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
