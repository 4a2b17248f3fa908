import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import type { Reading } from '../storage/passes/reading-source.ts';
import { howToOpen } from '../storage/passes/reading-source.ts';
import { foldingReadings, foldSmallGroups } from './visibility/fold-small-groups.ts';
import type { ViewerRule } from './visibility/visibility.ts';
import { createVisibility } from './visibility/visibility.ts';

export interface ShownGroupsQuestion extends Pick<StoreQuery, 'range' | 'by' | 'filters'>, ViewerRule {}

export interface ShownGroups {
  /** By `groupId`; groups that appeared later are missing. */
  readonly ids: readonly string[];
  /** Whether any group is hidden. */
  readonly leftOut: boolean;
}

/** Which groups a viewer may see individually: for exports and metrics, which apply their own limits. */
export const SHOWN_GROUPS: Reading<ShownGroupsQuestion, ShownGroups> = {
  name: 'shownGroups',
  takesLong: () => true,
  async read(source, asked) {
    const { range, by, filters, minGroupSize } = asked;
    const opened = await source.open(range, howToOpen(asked), 1 + foldingReadings(minGroupSize));
    const all = opened.reader();
    const reader = all.filtered(filters);
    const { folding } = await foldSmallGroups(createVisibility(source, asked, range), all, { by, filters });
    const pass = reader.pass();
    const groups = pass.groups(by, filters);
    pass.tally(groups);
    await pass.run();
    const ids = groups.keys.map((key) => groupId(by.map((dimension) => key[dimension] ?? null)));
    return { ids: ids.filter((id) => !folding?.ids.has(id)), leftOut: folding !== null };
  },
};
