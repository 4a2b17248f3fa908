import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { createQueryGroups } from '../storage/passes/query-groups.ts';
import { createRangeReader } from '../storage/passes/range-reader.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';

/** How many browsers sent samples of a range. */
export function computeBrowsers(source: ReadingSource, { range }: { readonly range: TimeRange }): number {
  const opened = source.open(range, 'sketches');
  const reader = createRangeReader(opened, source.catalog, opened.exact);
  const all = createQueryGroups([], {}, source.catalog);
  const pass = reader.pass();
  const browsers = pass.browsers(all);
  pass.run();
  return browsers.size(0);
}
