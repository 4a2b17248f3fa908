import { type Asker, prepare } from '../../questions/asking/asker.ts';
import { checkSteps, keptBefore } from '../../questions/asking/kept-part.ts';
import { written } from '../../questions/computations.ts';
import { type JsonBytes, joinJson, writeJson } from '../../storage/json-bytes.ts';
import type { MonthlyQuery } from '../report-request.ts';
import type { MonthlyDocument } from './monthly-data.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Asks for all numbers of the monthly report at once, of the part of the periods that is kept. Throws a StoreError, or a
 * QueryError for a range of too many days.
 */
export async function gatherMonthly(
  asker: Asker,
  asked: MonthlyQuery,
  zone: string,
): Promise<{ readonly query: MonthlyQuery; readonly document: JsonBytes<MonthlyDocument> }> {
  const { range, rule, method } = await prepare(asker, asked.range);
  const before = await keptBefore(asker, asked.before, asked.range, range);
  for (const period of [range, before]) checkSteps(period, DAY_MS);
  const query = { ...asked, range, before };
  const { filters, exact, accounting } = query;
  const { hours, outliers } = accounting;
  const question = { now: range, before, filters, exact, outliers, ...rule, hours, zone };
  const { head, rest } = await asker.store.samples.read(written('monthly'), question, asker);
  const front = {
    method: method({ range, filters, by: ['host', 'type'] }, head),
    beforeHash: head.beforeHash,
  };
  return { query, document: joinJson(writeJson(front), rest) };
}
