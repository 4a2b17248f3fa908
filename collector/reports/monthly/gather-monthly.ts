import { monthly } from '../../questions/monthly.ts';
import { prepare, type QueryContext } from '../../questions/query-context.ts';
import type { JsonBytes } from '../../storage/json-bytes.ts';
import type { MonthlyQuery } from '../report-request.ts';
import type { MonthlyDocument } from './monthly-data.ts';

/**
 * Asks for all numbers of the monthly report at once, of the part of the periods that is kept. Throws a StoreError, or a
 * QueryError for a range of too many days.
 */
export async function gatherMonthly(
  context: QueryContext,
  asked: MonthlyQuery,
  zone: string,
): Promise<{ readonly query: MonthlyQuery; readonly document: JsonBytes<MonthlyDocument> }> {
  const prepared = await prepare(context, asked.range);
  const { range, before, filters, exact, accounting } = asked;
  const { hours, outliers } = accounting;
  const plan = await monthly.plan({ range, before, filters, exact, outliers, hours, zone }, prepared);
  const query = { ...asked, range: plan.now, before: plan.before };
  return { query, document: await monthly.answerTo(context, prepared, plan) };
}
