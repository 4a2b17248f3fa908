import { change, inMilliseconds, type Observation } from '../../../shared/statistics/change.ts';
import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { Asker } from '../../query/asker.ts';
import { runCompare } from '../../query/run-questions.ts';
import { StoreError } from '../../store/store-error.ts';
import type { MonthlyQuery } from '../report-request.ts';
import type { PeriodChange } from './monthly-data.ts';

/** Up to so many samples of both periods together, browsers are told apart; beyond, it would take longer than a report may. */
const MAX_READ = 400_000;
/** Drawn from a sketch: enough for an interval, and never more than there are. */
const MAX_DRAWN = 10_000;
const SEED = 1;
/** Browsers' coarsest clock: what a change has to be at least, where the clocks behind a sketch are not told, µs. */
const COARSE_CLOCK = 1000;

/** Whether the median changed since the last period. null where a side has no samples. Throws a StoreError. */
export async function changeOf(
  asker: Asker,
  query: MonthlyQuery,
  now: TimeStatistics | null,
  before: TimeStatistics | null,
): Promise<PeriodChange | null> {
  if (now === null || before === null) return null;
  const { range, filters } = query;
  const sides = [query.before, range].map((side) =>
    asker.store.samples.distributions(
      { range: side, filters, by: [], time: 'ttlb' },
      { exact: query.exact, ...(asker.signal === undefined ? {} : { signal: asker.signal }) },
    ),
  );
  const [earlier, later] = await Promise.all(sides);
  if (earlier === undefined || later === undefined) return null;
  if (earlier.samples + later.samples <= MAX_READ) {
    const exact = await fromSamples(asker, query);
    if (exact !== null) return exact;
  }
  const [first, second] = [earlier.cells[0]?.values, later.cells[0]?.values];
  if (first === undefined || second === undefined) return null;
  const found = change(drawn(first), drawn(second), COARSE_CLOCK, seededRandom(SEED));
  return found === null ? null : { ...inMilliseconds(found), drawnFrom: [size(first), size(second)], from: 'sketch' };
}

/** null where samples of a period are not kept any more. */
async function fromSamples(asker: Asker, { range, before, filters }: MonthlyQuery): Promise<PeriodChange | null> {
  try {
    const { cells } = await runCompare(asker, {
      before: { range: before, filters },
      after: { range, filters },
      by: [],
      time: 'ttlb',
    });
    const found = cells[0]?.change;
    return found == null ? null : { ...found, from: 'samples' };
  } catch (error) {
    if (error instanceof StoreError && ['samples_expired', 'too_many_samples'].includes(error.code)) return null;
    throw error;
  }
}

function size({ n }: Distribution): number {
  return Math.min(n, MAX_DRAWN);
}

/** Evenly chosen in order of value, so that the same data give the same. */
function drawn(values: Distribution): Observation[] {
  const n = size(values);
  return Array.from({ length: n }, (_, i) => ({
    value: values.valueAtRank(Math.floor(((i + 0.5) * values.n) / n)),
    browser: null,
  }));
}
