import { type Asker, prepare } from '../../query/asker.ts';
import { checkSteps, keptBefore } from '../../query/kept-part.ts';
import { utc, wallTime } from '../../time/zoned-time.ts';
import type { MonthlyQuery } from '../report-request.ts';
import type { MonthlyData } from './monthly-data.ts';

const DAY_MS = 24 * 3_600_000;

/** Asks for all numbers of the monthly report at once. Throws a StoreError, or a QueryError for a range of too many days. */
export async function gatherMonthly(asker: Asker, asked: MonthlyQuery, zone: string): Promise<MonthlyData> {
  const { range, rule, method } = await prepare(asker, asked.range);
  const before = await keptBefore(asker, asked.before, asked.range, range);
  for (const period of [range, before]) checkSteps(period, DAY_MS);
  const query = { ...asked, range, before };
  const { filters, exact, accounting } = query;
  const { hours, outliers } = accounting;
  const question = { now: range, before, filters, exact, outliers, ...rule, hours, zone };
  const answer = await asker.store.samples.compute('monthly', question, asker);
  const { dataHash, bound, folded, whole, cells, scenarios, hosts, change } = answer;
  return {
    query,
    method: method({ range, filters, by: ['host', 'type'] }, { exact: answer.exact, bound, dataHash, folded }),
    answeredFrom: answer.fromSamples ? 'samples' : answer.atFullHours ? 'rollups' : 'both',
    exactQuartiles: answer.exactQuartiles,
    beforeKept: answer.before !== null,
    beforeHash: answer.before?.dataHash ?? null,
    whole,
    wholeBefore: answer.before?.whole ?? null,
    cells,
    scenarios,
    hosts,
    hostsBefore: answer.before?.hosts ?? [],
    days: answer.days.map(({ at, ...day }) => ({ at: dateOf(at, answer.daysBy), ...day })),
    change,
    outliers: answer.outliers,
  };
}

/** Midnight of the same date in UTC: as which it is written. */
function dateOf(at: number, zone: string): number {
  const { year, month, day } = wallTime(at, zone);
  return utc(year, month, day);
}
