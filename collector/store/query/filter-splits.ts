import type { AnyDimension, Filters } from '../../../shared/summary/dimensions.ts';
import type { BrowserSets } from './browser-sets.ts';
import { groupId } from './cell-groups.ts';
import { createQueryGroups, type QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import type { GroupedBy } from './range-reader.ts';
import { type SizedGroup, smallGroups, splitsSmall } from './small-groups.ts';
import type { Viewer } from './viewer.ts';

/** Users' traffic and probes of any kind are told apart by every page; who is behind a sample it does not say. */
const TELLS_NOBODY: readonly AnyDimension[] = ['source'];

/** Those filters that may leave a small group over. */
export function tellingFilters(filters: Filters): AnyDimension[] {
  return (Object.keys(filters) as AnyDimension[]).filter(
    (dimension) => filters[dimension] !== undefined && !TELLS_NOBODY.includes(dimension),
  );
}

/**
 * Where the filters of a question would tell a small group by what they leave out. Each filtered dimension is looked at as
 * if it were grouped by: of the groups that could only be shown together, a filter has to name all or none. Asked once the
 * pass, which must not be filtered itself, has run.
 *
 * @returns ids of the groups that a filter splits so, or `all` if it splits all groups together
 */
export function splitByFilters(
  viewer: Viewer,
  pass: RangePass,
  { by, filters }: GroupedBy,
): () => ReadonlySet<string> | 'all' {
  const dimensions = tellingFilters(filters);
  const each = dimensions.flatMap((dimension) => {
    const { [dimension]: named = [], ...rest } = filters as Record<AnyDimension, readonly string[] | undefined>;
    const gather = (of: readonly AnyDimension[], others: Filters) => {
      const apart = of.includes(dimension) ? of : [...of, dimension];
      const groups = createQueryGroups(apart, others, viewer.catalog);
      const browsers = pass.browsers(groups, viewer.counted());
      const samples = pass.tally(groups);
      return () => splitsOf(viewer.foldBelow, { by: of, dimension, named, groups, browsers, samples });
    };
    const within = gather(by, rest as Filters);
    // Of the whole as well: what several filters leave is subtracted from it just the same.
    return dimensions.length === 1 ? [within] : [within, gather([], sourceOf(filters))];
  });
  return () => {
    const ids = new Set<string>();
    for (const splits of each) {
      const found = splits();
      if (found === 'all') return 'all';
      for (const id of found) ids.add(id);
    }
    return ids;
  };
}

function sourceOf({ source }: Filters): Filters {
  return source === undefined ? {} : { source };
}

interface Parts {
  readonly by: readonly AnyDimension[];
  readonly dimension: AnyDimension;
  /** Values the filter names. */
  readonly named: readonly string[];
  /** Grouped by the dimension too. */
  readonly groups: QueryGroups;
  readonly browsers: BrowserSets;
  readonly samples: (group: number) => number;
}

function splitsOf(below: number, parts: Parts): ReadonlySet<string> | 'all' {
  const { by, dimension, groups } = parts;
  if (isSplit(below, parts, [...groups.keys.keys()])) return 'all';
  if (by.includes(dimension)) return new Set();
  const members = new Map<string, number[]>();
  groups.keys.forEach((key, group) => {
    const id = groupId(by.map((one) => key[one] ?? null));
    const own = members.get(id);
    if (own === undefined) members.set(id, [group]);
    else own.push(group);
  });
  return new Set([...members].flatMap(([id, own]) => (isSplit(below, parts, own) ? [id] : [])));
}

/** Of some groups, put together by the values of the filtered dimension. */
function isSplit(
  below: number,
  { dimension, named, groups, browsers, samples }: Parts,
  own: readonly number[],
): boolean {
  const byValue = new Map<string | null, number[]>();
  for (const group of own) {
    const value = groups.keys[group]?.[dimension] ?? null;
    const same = byValue.get(value);
    if (same === undefined) byValue.set(value, [group]);
    else same.push(group);
  }
  const values = [...byValue];
  const sized = values.map(
    ([, members]): SizedGroup => ({
      browsers: browsers.sizeOfAll(members),
      samples: members.reduce((sum, group) => sum + samples(group), 0),
    }),
  );
  const small = smallGroups(sized, below, (indexes) =>
    browsers.sizeOfAll(indexes.flatMap((index) => values[index]?.[1] ?? [])),
  );
  const wanted = new Set<string | null>(named);
  return splitsSmall(small, (index) => wanted.has(values[index]?.[0] ?? null));
}
