import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { pageGroups } from '../../../collector/analysis/tables/page-groups.ts';
import { type PagesOptions, pagesViewOf } from '../../../collector/analysis/tables/pages-view.ts';
import { receiveBySize } from '../../../collector/analysis/tables/receive-by-size-table.ts';
import type { ViewDocument } from '../../../collector/analysis/tables/table-document.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';

/** The pages view computed sample by sample. */
export function pagesView(samples: readonly StoredSample[], options: PagesOptions): ViewDocument {
  const facts = {
    pages: pageGroups(samples),
    leftOut: { pages: 0, requests: 0 },
    receive: receiveBySize(samples),
    whole: aggregateSamples(samples, [])[0] ?? null,
  };
  return pagesViewOf(facts, options);
}
