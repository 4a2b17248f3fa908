import {
  type AnyDimension,
  type CellKey,
  dimensionTests,
  type Filters,
  filteredDimensions,
  splitFilterName,
} from '../../../shared/vocabulary/dimensions.ts';
import type { BrowserSets } from '../../storage/passes/browser-sets.ts';
import { groupId } from '../../storage/passes/cell-groups.ts';
import type { Folding, QueryGroups } from '../../storage/passes/query-groups.ts';
import type { RangePass } from '../../storage/passes/range-pass.ts';
import type { GroupedBy, RangeReader } from '../../storage/passes/range-reader.ts';
import { StoreError } from '../../storage/store-error.ts';
import { findHidden, maxCheckedCells } from './hidden-cells.ts';
import type { Visibility } from './visibility.ts';

/**
 * These describe the request, not the person. Every browser makes many kinds of requests, answers count them within
 * each group anyway, and one browser with an unusual request must not empty a filter for everyone else.
 */
const IS_IMPERSONAL: Readonly<Record<AnyDimension, boolean>> = {
  type: true,
  connection: true,
  protocol: true,
  scheme: true,
  scenario: true,
  handshake: true,
  source: true,
  host: false,
  site: false,
  target: false,
  template: false,
  browser: false,
  browserVersion: false,
  extension: false,
  journey: false,
  journeyStep: false,
};

export interface Folded {
  readonly folding: Folding | null;
}

export const NOTHING_FOLDED: Folded = { folding: null };

/** For answers in which groups of few browsers have no row, not even a combined one. */
export function leftOut({ folding }: Folded): Folding | null {
  return folding === null ? null : { ...folding, hidden: true };
}

export interface FoldedQuery extends GroupedBy {
  /** Merges groups if the answer is coarser than its dimensions; null for groups that it leaves out. */
  readonly partOf?: (key: CellKey) => string | null;
}

/** How often folding reads the range. */
export function foldingReadings(below: number): number {
  return below <= 1 ? 0 : 1;
}

/**
 * Finds the groups of too few browsers, which could identify a person. They are folded into one group, or into none if
 * they are too few even together, or if the filters would reveal them by what they leave out.
 *
 * @param unfiltered reads the range without the query's filters
 */
export async function foldSmallGroups(
  visibility: Visibility,
  unfiltered: RangeReader,
  query: FoldedQuery,
): Promise<Folded> {
  const [folded = NOTHING_FOLDED] = await foldEach(visibility, unfiltered, [query]);
  return folded;
}

/** The same for several queries in one reading. */
export async function foldEach(
  visibility: Visibility,
  unfiltered: RangeReader,
  queries: readonly FoldedQuery[],
): Promise<Folded[]> {
  if (visibility.minGroupSize <= 1) return queries.map(() => NOTHING_FOLDED);
  const pass = unfiltered.pass();
  const tables = new Map<string, Table>();
  const found = queries.map((query) => {
    const needed = tableFor(query);
    const name = JSON.stringify([needed.dimensions, needed.filters]);
    const table = tables.get(name) ?? gatherTable(visibility, pass, needed);
    tables.set(name, table);
    return () => foldOf(visibility, table, query, unfiltered.checkpoint);
  });
  await pass.run();
  return found.map((fold) => fold());
}

interface Needed {
  readonly dimensions: readonly AnyDimension[];
  readonly personal: readonly AnyDimension[];
  /** Filters that the table can apply itself: by kinds of requests. */
  readonly filters: Filters;
}

/** The table that a query is checked with: by its groups, and by those of its filters that could identify a person. */
function tableFor({ by, filters }: GroupedBy): Needed {
  const { telling, kinds } = divideFilters(filters);
  const dimensions = [...new Set([...by, ...telling])];
  return {
    dimensions,
    personal: dimensions.filter((dimension) => !IS_IMPERSONAL[dimension]),
    filters: kinds,
  };
}

/** Splits filters into dimensions that could identify a person, and filters by kinds of requests. */
export function divideFilters(filters: Filters): {
  readonly telling: readonly AnyDimension[];
  readonly kinds: Filters;
} {
  const isKind = (name: string) => IS_IMPERSONAL[splitFilterName(name).dimension as AnyDimension];
  return {
    telling: filteredDimensions(filters).filter((dimension) => !IS_IMPERSONAL[dimension]),
    kinds: Object.fromEntries(Object.entries(filters).filter(([name]) => isKind(name))),
  };
}

interface Table extends Pick<Needed, 'personal'> {
  readonly groups: QueryGroups;
  readonly browsers: BrowserSets;
  readonly samples: (group: number) => number;
}

function gatherTable(visibility: Visibility, pass: RangePass, { dimensions, personal, filters }: Needed): Table {
  const groups = pass.groups(dimensions, filters);
  // While it grows: a table that is too large is not even gathered.
  pass.rows(() => refuseLargeTable(groups.keys.length, personal));
  return {
    personal,
    groups,
    browsers: pass.collectBrowsers(groups, visibility.counted()),
    samples: pass.tally(groups),
  };
}

/** Throws StoreError `too_many_groups`: each cell is checked in every coarser table; a dimension doubles the work. */
function refuseLargeTable(cells: number, personal: readonly AnyDimension[]): void {
  const most = maxCheckedCells(personal.length);
  if (cells <= most) return;
  throw new StoreError(
    'too_many_groups',
    `there are more than ${most} combinations of ${personal.join(', ')}, and each has to be checked for too few browsers`,
    'Group and filter by fewer of them, or ask for a shorter range.',
  );
}

/** A group of the answer. */
interface Part {
  readonly ids: Set<string>;
  /** Cells of the table. */
  readonly cells: number[];
}

function foldOf({ minGroupSize }: Visibility, table: Table, query: FoldedQuery, checkpoint: () => void): Folded {
  const { groups, browsers, personal } = table;
  const { by, filters, partOf } = query;
  refuseLargeTable(groups.keys.length, personal);
  // Every cell has enough browsers.
  if (groups.keys.every((_, cell) => browsers.size(cell) >= minGroupSize)) return NOTHING_FOLDED;
  // An exclusion is a filter by all other values, so what it leaves out is checked in the same way.
  const tests = dimensionTests(filters).filter(({ dimension }) => personal.includes(dimension));
  const passesAll = (cell: number) =>
    tests.every(({ dimension, passes }) => passes(groups.keys[cell]?.[dimension] ?? null));

  const small: Part[] = [];
  for (const cells of cellsByKind(table, query)) {
    const parts = partsOf(table, cells.filter(passesAll), query);
    if (parts.length === 0) continue;
    const hidden = hiddenIn(table, cells, minGroupSize, checkpoint);
    const isShown = (part: Part) =>
      browsers.sizeOfAll(part.cells) >= minGroupSize && !part.cells.some((cell) => hidden.has(cell));
    small.push(...parts.filter((part) => !isShown(part)));
  }
  if (small.length === 0) return NOTHING_FOLDED;
  const folded = small.flatMap(({ cells }) => cells);
  // With a filter they would be part of the folded group of the unfiltered answer, and the rest of it may come from few
  // browsers.
  const shownTogether = by.length > 0 && tests.length === 0 && browsers.sizeOfAll(folded) >= minGroupSize;
  // Its numbers are those of the whole group, so its name tells no more of the others than that it has no row of its own.
  const [dimension, ...finer] = by;
  const large = small.filter((part) => browsers.sizeOfAll(part.cells) >= minGroupSize);
  const name =
    shownTogether && dimension !== undefined && finer.length === 0 && partOf === undefined && large.length === 1
      ? groups.keys[large[0]?.cells[0] ?? -1]?.[dimension]
      : null;
  return {
    folding: {
      ids: new Set(small.flatMap(({ ids }) => [...ids])),
      hidden: !shownTogether,
      ...(name == null ? {} : { large: name }),
    },
  };
}

/** Kinds of requests are checked separately. */
function cellsByKind({ groups }: Table, { by, partOf }: FoldedQuery): Iterable<number[]> {
  const kinds = by.filter((dimension) => IS_IMPERSONAL[dimension]);
  return grouped(groups.keys.keys(), (cell) => {
    const key = groups.keys[cell] ?? {};
    return partOf === undefined ? groupId(kinds.map((dimension) => key[dimension] ?? null)) : partOf(key);
  }).values();
}

function partsOf({ groups }: Table, cells: readonly number[], { by, partOf }: FoldedQuery): Part[] {
  const idOf = (cell: number) => groupId(by.map((dimension) => groups.keys[cell]?.[dimension] ?? null));
  const parts = grouped(cells, (cell) => (partOf === undefined ? idOf(cell) : partOf(groups.keys[cell] ?? {})));
  return [...parts.values()].map((own) => ({ ids: new Set(own.map(idOf)), cells: own }));
}

function grouped(cells: Iterable<number>, nameOf: (cell: number) => string | null): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const cell of cells) {
    const name = nameOf(cell);
    if (name === null) continue;
    const own = found.get(name);
    if (own === undefined) found.set(name, [cell]);
    else own.push(cell);
  }
  return found;
}

function hiddenIn(
  { groups, browsers, samples, personal }: Table,
  cells: readonly number[],
  below: number,
  checkpoint: () => void,
): ReadonlySet<number> {
  const counted = cells.map((cell) => ({
    words: personal.map((dimension) => groups.keys[cell]?.[dimension] ?? null),
    samples: samples(cell),
    browsers: browsers.size(cell),
  }));
  const cellsOf = function* (indexes: Iterable<number>) {
    for (const index of indexes) yield cells[index] as number;
  };
  const together = (indexes: Iterable<number>) => browsers.sizeOfAll(cellsOf(indexes));
  const hidden = findHidden(counted, together, below, checkpoint);
  return new Set(cells.filter((_, index) => hidden[index]));
}
