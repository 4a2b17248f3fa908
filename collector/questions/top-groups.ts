import { Type } from 'typebox';
import { FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import { Count, each } from '../analysis/answer-schema.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { toDistribution } from '../storage/passes/collectors.ts';
import type { Folding } from '../storage/passes/query-groups.ts';
import type { GroupedBy, RangeReader } from '../storage/passes/range-reader.ts';
import { passRoutes, type Routes } from '../storage/passes/route-waits.ts';
import type { Parameter } from './parameters.ts';
import type { Folded } from './visibility/fold-small-groups.ts';

const MAX_TOP = 1000;

/** null shows all groups. */
export const TOP: Parameter<number | null> = {
  schemas: (name) => ({
    [name]: Type.Integer({
      description: 'Only so many groups, those that were waited for longest; `leftOut` counts the others.',
      minimum: 1,
      maximum: MAX_TOP,
    }),
  }),
  read: (query, name) => (query.once(name) === null ? null : query.whole(name, { min: 1, max: MAX_TOP }, 1)),
};

/** Groups beyond the requested ones and their samples; absent if all were requested. */
export const LEFT_OUT = { leftOut: Type.Optional(each(['cells', 'samples'], Count)) };

export interface TopGroups {
  readonly folding: Folding | null;
  readonly leftOut?: { readonly cells: number; readonly samples: number };
  /** Of all samples that pass the filters. */
  readonly routes?: Routes;
}

/** How often choosing the top groups reads the range. */
export function topReadings(top: number | null | undefined): number {
  return top == null ? 0 : 1;
}

/**
 * Leaves out all but the groups that were waited for longest: the sum of their `ttlb`. The folded group always stays.
 * @param top null keeps all
 */
export async function topGroups(
  reader: RangeReader,
  { by, filters }: GroupedBy,
  { folding }: Folded,
  top: number | null | undefined,
): Promise<TopGroups> {
  if (top == null) return { folding };
  const pass = reader.pass();
  const groups = pass.groups(by, filters, folding);
  const samplesOf = pass.tally(groups);
  const take = pass.collect(['ttlb'], groups);
  const routes = passRoutes(pass, filters);
  await pass.run();
  const left = groups
    .sorted()
    .filter((group) => !Object.values(groups.keys[group] ?? {}).includes(FEW_BROWSERS))
    .map((group) => ({ group, waited: toDistribution(take(group)).sum, samples: samplesOf(group) }))
    .sort((a, b) => b.waited - a.waited || b.samples - a.samples)
    .slice(top);
  return {
    folding: {
      ids: folding?.ids ?? new Set(),
      hidden: folding?.hidden ?? false,
      ...(folding?.large === undefined ? {} : { large: folding.large }),
      leftOut: new Set(left.map(({ group }) => groupId(Object.values(groups.keys[group] ?? {})))),
    },
    leftOut: { cells: left.length, samples: left.reduce((sum, { samples }) => sum + samples, 0) },
    routes: routes(),
  };
}
