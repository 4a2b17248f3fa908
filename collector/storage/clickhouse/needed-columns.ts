import { ORIGIN_COLUMNS, OWN_COLUMNS, type TableColumn } from './sample-table.ts';

/** The columns of samples that one job fetches. */
export interface NeededColumns {
  readonly fetched: readonly TableColumn[];
  /** To be called before a column is read. @throws ColumnNotFetched */
  use(name: string): void;
}

class ColumnNotFetched extends Error {}

/** Read of every sample, whatever the question. */
const ALWAYS: ReadonlySet<string> = new Set(['at', ...ORIGIN_COLUMNS.map(({ name }) => name)]);

export const ALL_COLUMNS: NeededColumns = { fetched: OWN_COLUMNS, use: () => {} };

/** What readings have used so far, by their name. */
const used = new Map<string, Set<string>>();

/**
 * Fetches what readings of this name have used before: of forty columns, most read ten, and the first is given all. One that
 * reads another column starts again with all of them, because two statements need not return rows in the same order.
 */
export function withNeededColumns<T>(reading: string, run: (columns: NeededColumns) => T): T {
  const known = used.get(reading);
  const own = known ?? new Set<string>();
  used.set(reading, own);
  const note = (name: string) => void own.add(name);
  const all: NeededColumns = { fetched: OWN_COLUMNS, use: note };
  if (known === undefined) return run(all);
  const fetched = OWN_COLUMNS.filter(({ name }) => ALWAYS.has(name) || known.has(name));
  const names = new Set(fetched.map(({ name }) => name));
  try {
    return run({
      fetched,
      use(name) {
        if (!names.has(name)) throw new ColumnNotFetched(name);
      },
    });
  } catch (error) {
    if (!(error instanceof ColumnNotFetched)) throw error;
    return run(all);
  }
}
