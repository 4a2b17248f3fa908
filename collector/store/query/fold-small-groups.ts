import type { Filters } from '../../../shared/summary/dimensions.ts';
import type { BrowserSets } from './browser-sets.ts';
import { groupId } from './cell-groups.ts';
import { splitByFilters, tellingFilters } from './filter-splits.ts';
import { createQueryGroups, type Folding } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import type { GroupedBy, RangeReader } from './range-reader.ts';
import { smallGroups } from './small-groups.ts';
import type { Viewer } from './viewer.ts';

export interface Folded {
  readonly folding: Folding | null;
  /** Groups that are not shown by themselves, and the samples in them. */
  readonly cells: number;
  readonly samples: number;
}

export const NOTHING_FOLDED: Folded = { folding: null, cells: 0, samples: 0 };

/** How often `foldSmallGroups` reads the range. */
export function foldingReadings(below: number, filters: Filters): number {
  if (below <= 1) return 0;
  return tellingFilters(filters).length === 0 ? 1 : 2;
}

/**
 * Finds the groups behind which there are too few browsers: a person could be told by them. They become one group, and not
 * even that where they are too few together or the filters would tell them by what they leave out.
 *
 * @param unfiltered reads the same range without the question's filters; `reader` unless it has them built in
 */
export function foldSmallGroups(
  viewer: Viewer,
  reader: RangeReader,
  query: GroupedBy,
  unfiltered: RangeReader = reader,
): Folded {
  return foldEach(viewer, reader, [query], unfiltered)[0] ?? NOTHING_FOLDED;
}

/** The same of several groupings that share their filters. */
export function foldEach(
  viewer: Viewer,
  reader: RangeReader,
  queries: readonly GroupedBy[],
  unfiltered: RangeReader = reader,
): Folded[] {
  if (viewer.foldBelow <= 1) return queries.map(() => NOTHING_FOLDED);
  const beside = unfiltered.pass();
  const splits = queries.map((query) => splitByFilters(viewer, beside, query));
  beside.run();
  const pass = reader.pass();
  const found = queries.map((query, i) => gatherSmall(viewer, pass, query, splits[i]?.() ?? 'all'));
  pass.run();
  return found.map((folded) => folded());
}

/** @param splits ids of groups that the filters split so that a small part is left out; `all` if of the whole */
function gatherSmall(
  viewer: Viewer,
  pass: RangePass,
  { by, filters }: GroupedBy,
  splits: ReadonlySet<string> | 'all',
): () => Folded {
  const groups = createQueryGroups(by, filters, viewer.catalog);
  const browsers = pass.browsers(groups, viewer.counted());
  const samples = pass.tally(groups);
  return () => {
    const idOf = (group: number) => groupId(by.map((dimension) => groups.keys[group]?.[dimension] ?? null));
    const sized = groups.keys.map((_, group) => ({
      browsers: browsers.size(group),
      samples: samples(group),
      splits: splits !== 'all' && splits.has(idOf(group)),
    }));
    const hiddenAll = splits === 'all';
    const small = hiddenAll ? [...groups.keys.keys()] : smallGroups(sized, viewer.foldBelow, browsers.sizeOfAll);
    if (small.length === 0) return NOTHING_FOLDED;
    return {
      folding: {
        ids: new Set(small.map(idOf)),
        hidden: hiddenAll || by.length === 0 || browsers.sizeOfAll(small) < viewer.foldBelow,
      },
      cells: small.length,
      samples: small.reduce((sum, group) => sum + samples(group), 0),
    };
  };
}

/** The small ones among parts of an answer that each are several groups. */
export function smallParts<T>(
  viewer: Viewer,
  parts: readonly { readonly part: T; readonly groups: readonly number[] }[],
  browsers: BrowserSets,
  samples: (group: number) => number,
): T[] {
  const sized = parts.map(({ groups }) => ({
    browsers: browsers.sizeOfAll(groups),
    samples: groups.reduce((sum, group) => sum + samples(group), 0),
  }));
  const together = (indexes: readonly number[]) =>
    browsers.sizeOfAll(indexes.flatMap((index) => parts[index]?.groups ?? []));
  return smallGroups(sized, viewer.foldBelow, together).flatMap((index) => {
    const found = parts[index];
    return found === undefined ? [] : [found.part];
  });
}
