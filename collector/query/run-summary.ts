import type { SummaryDocument } from '../../shared/summary/summary-document.ts';
import type { Store } from '../store/store.ts';
import { type Asker, prepare } from './asker.ts';
import type { SummaryQuery } from './parse-summary-query.ts';

/** The summary document of a query: the same for HTTP, the command and the demo. Throws a StoreError. */
export async function runSummary(
  store: Store,
  query: SummaryQuery,
  version: string,
  more: Pick<Asker, 'audience' | 'clock' | 'signal' | 'progress'> = {},
): Promise<SummaryDocument> {
  const { rule, nameBrowsers, method } = await prepare({ store, version, ...more }, query.range);
  const { cells, ...answer } = await store.samples.compute('summary', { ...query, ...rule, nameBrowsers }, more);
  return { method: method(query, answer), cells };
}
