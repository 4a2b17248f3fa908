import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { createQueryGroups } from '../storage/passes/query-groups.ts';
import { createRangeReader } from '../storage/passes/range-reader.ts';
import { howToOpen, type ReadingSource } from '../storage/passes/reading-source.ts';
import { foldingReadings, foldSmallGroups } from './viewer/fold-small-groups.ts';
import type { FoldRule } from './viewer/small-groups.ts';
import { createViewer } from './viewer/viewer.ts';

export interface ShownGroupsQuestion extends Pick<StoreQuery, 'range' | 'by' | 'filters'>, FoldRule {}

export interface ShownGroups {
  /** See `groupId`. A group that came later is not among them. */
  readonly ids: readonly string[];
  /** Whether there are others. */
  readonly leftOut: boolean;
}

/** Which groups a viewer may be shown one by one: for what does not come from a computation itself. */
export function computeShownGroups(source: ReadingSource, question: ShownGroupsQuestion): ShownGroups {
  const { range, by, filters, foldBelow } = question;
  const opened = source.open(range, howToOpen(question), 1 + foldingReadings(foldBelow));
  const all = createRangeReader(opened, source.catalog, opened.exact);
  const reader = all.filtered(filters);
  const { folding } = foldSmallGroups(createViewer(source, question, range), all, { by, filters });
  const groups = createQueryGroups(by, filters, source.catalog);
  const pass = reader.pass();
  pass.tally(groups);
  pass.run();
  const ids = groups.keys.map((key) => groupId(by.map((dimension) => key[dimension] ?? null)));
  return { ids: ids.filter((id) => !folding?.ids.has(id)), leftOut: folding !== null };
}
