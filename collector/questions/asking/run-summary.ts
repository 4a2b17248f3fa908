import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { type JsonBytes, joinJson, writeJson } from '../../storage/json-bytes.ts';
import type { Store } from '../../storage/store.ts';
import { written } from '../computations.ts';
import { type Asker, prepare } from './asker.ts';
import type { SummaryQuery } from './parse-summary-query.ts';

/** The summary document of a query: the same for HTTP, the command and the demo. Throws a StoreError. */
export async function runSummary(
  store: Store,
  query: SummaryQuery,
  version: string,
  more: Pick<Asker, 'audience' | 'language' | 'clock' | 'signal' | 'progress' | 'token'> = {},
): Promise<JsonBytes<SummaryDocument>> {
  const { range, rule, nameBrowsers, method } = await prepare({ store, version, ...more }, query.range);
  const answered = { ...query, range };
  const { head, rest } = await store.samples.read(written('summary'), { ...answered, ...rule, nameBrowsers }, more);
  return joinJson(writeJson({ method: method(answered, head) }), rest);
}
