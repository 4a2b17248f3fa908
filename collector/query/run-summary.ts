import type { AggregateQuery } from '../../shared/summary/dimensions.ts';
import { summarize } from '../../shared/summary/summarize.ts';
import type { SummaryDocument } from '../../shared/summary/summary-document.ts';
import { WIRE_VERSION } from '../../shared/wire/wire-batch.ts';
import type { Store } from '../store/store.ts';
import { RULES } from './rules.ts';

/** The summary document of a query: the same for HTTP, the command and the demo. Throws a StoreError. */
export async function runSummary(store: Store, query: AggregateQuery, version: string): Promise<SummaryDocument> {
  const [answer, settings] = await Promise.all([store.samples.aggregate(query), store.settings.read()]);
  return summarize(answer, {
    from: new Date(query.range.from).toISOString(),
    to: new Date(query.range.to).toISOString(),
    by: query.by,
    filters: query.filters,
    rules: RULES,
    versions: { lastbyte: version, wire: WIRE_VERSION, settings: settings?.revision ?? 0 },
  });
}
