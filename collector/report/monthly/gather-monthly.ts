import type { TimeRange } from '../../../shared/summary/dimensions.ts';
import { type Asker, prepare } from '../../query/asker.ts';
import { stepBounds } from '../../query/step-bounds.ts';
import { rangesWithin } from '../business-hours.ts';
import type { MonthlyQuery } from '../report-request.ts';
import { wallTime } from '../zoned-time.ts';
import { explainExpired } from './explain-expired.ts';
import type { MonthlyData } from './monthly-data.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Asks for all numbers of the monthly report at once. Throws a StoreError. */
export async function gatherMonthly(asker: Asker, query: MonthlyQuery, zone: string): Promise<MonthlyData> {
  const { range, filters, exact, accounting } = query;
  const { hours, outliers } = accounting;
  const { rule, method } = await prepare(asker, range);
  const period = (own: TimeRange) => ({ range: own, within: hours === null ? null : rangesWithin(own, hours, zone) });
  const [now, before] = [period(range), period(query.before)];
  const atFullHours = [now, before].every(({ within }) => (within ?? []).every(isOfFullHours));
  // Days of the zone are made from hours; where these are gone, days of UTC are still there.
  const zones = [zone, 'UTC'];
  const days = zones.map((own) => stepBounds(range, DAY_MS, own));
  const answer = await asker.store.samples
    .compute('monthly', { now, before, filters, exact, outliers, ...rule, days }, asker)
    .catch((error: unknown) => {
      throw explainExpired(error, accounting, atFullHours);
    });
  const { dataHash, bound, folded, whole, cells, scenarios, hosts, change } = answer;
  return {
    query,
    method: method({ range, filters, by: ['host', 'type'] }, { exact: answer.exact, bound, dataHash, folded }),
    answeredFrom: answer.fromSamples ? 'samples' : atFullHours ? 'rollups' : 'both',
    exactQuartiles: answer.exactQuartiles,
    beforeKept: answer.before !== null,
    beforeHash: answer.before?.dataHash ?? null,
    whole,
    wholeBefore: answer.before?.whole ?? null,
    cells,
    scenarios,
    hosts,
    hostsBefore: answer.before?.hosts ?? [],
    days: answer.days.map(({ at, ...day }) => ({ at: dateOf(at, zones[answer.daysBy] ?? 'UTC'), ...day })),
    change,
    outliers: answer.outliers,
  };
}

function isOfFullHours({ from, to }: TimeRange): boolean {
  return from % HOUR_MS === 0 && to % HOUR_MS === 0;
}

/** Midnight of the same date in UTC: as which it is written. */
function dateOf(at: number, zone: string): number {
  const { year, month, day } = wallTime(at, zone);
  return Date.UTC(year, month - 1, day);
}
