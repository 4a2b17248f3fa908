import type { CellCatalog } from '../rollup/cell-catalog.ts';
import { groupId } from './cell-groups.ts';
import { createQueryGroups, type Folding } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import type { GroupedBy, RangeReader } from './range-reader.ts';

export interface Folded {
  readonly folding: Folding | null;
  /** Groups that are not shown by themselves, and the samples in them. */
  readonly cells: number;
  readonly samples: number;
}

const NOTHING_FOLDED: Folded = { folding: null, cells: 0, samples: 0 };

/** How often `foldSmallGroups` reads the range. */
export function foldingReadings(below: number): number {
  return below <= 1 ? 0 : 1;
}

/**
 * Finds the groups behind which there are fewer than `below` browsers, 0 for none: a person could be told by them. They
 * become one group, and not even that where they are too few together.
 */
export function foldSmallGroups(reader: RangeReader, query: GroupedBy, catalog: CellCatalog, below: number): Folded {
  return foldEach(reader, [query], catalog, below)[0] ?? NOTHING_FOLDED;
}

/** The same of several groupings, in one reading. */
export function foldEach(
  reader: RangeReader,
  queries: readonly GroupedBy[],
  catalog: CellCatalog,
  below: number,
): Folded[] {
  if (foldingReadings(below) === 0) return queries.map(() => NOTHING_FOLDED);
  const pass = reader.pass();
  const found = queries.map((query) => gatherSmall(pass, query, catalog, below));
  pass.run();
  return found.map((folded) => folded());
}

function gatherSmall(pass: RangePass, { by, filters }: GroupedBy, catalog: CellCatalog, below: number): () => Folded {
  const groups = createQueryGroups(by, filters, catalog);
  const browsers = pass.browsers(groups);
  const samples = pass.tally(groups);
  return () => {
    const small = groups.keys.flatMap((_, group) => (browsers.size(group) < below ? [group] : []));
    if (small.length === 0) return NOTHING_FOLDED;
    return {
      folding: {
        ids: new Set(small.map((group) => groupId(by.map((dimension) => groups.keys[group]?.[dimension] ?? null)))),
        hidden: by.length === 0 || browsers.sizeOfAll(small) < below,
      },
      cells: small.length,
      samples: small.reduce((sum, group) => sum + samples(group), 0),
    };
  };
}
