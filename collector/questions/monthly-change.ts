import { change, inMilliseconds, type Observation } from '../../shared/statistics/change.ts';
import type { Distribution } from '../../shared/statistics/distribution.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import type { Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { Selection } from '../storage/passes/asked-times.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { StoreError } from '../storage/store-error.ts';
import { compareSides } from './compare.ts';
import type { PeriodChange } from './monthly.ts';

/** Browsers are distinguished up to this many samples of both periods; beyond, it would take longer than a report may. */
const MAX_READ = 400_000;
/** Drawn from a sketch: enough for an interval, and never more than there are. */
const MAX_DRAWN = 10_000;
/** Seeds the draws, so that they can be made again. */
const SEED = 1;
/** Browsers' coarsest clock: the minimum for a change where the clocks behind a sketch are unknown, µs. */
const COARSE_CLOCK = 1000;

export interface ChangeSide {
  readonly range: TimeRange;
  readonly selection: Selection;
  /** In the range, filters aside. */
  readonly samples: number;
  /** All its times, µs. */
  readonly values: Distribution;
}

/** Whether the median changed since the last period; null where a side has no samples. Throws a StoreError. */
export function monthlyChange(
  source: ReadingSource,
  filters: Filters,
  before: ChangeSide,
  now: ChangeSide,
): PeriodChange | null {
  if (before.samples + now.samples <= MAX_READ) {
    const exact = fromSamples(source, filters, before, now);
    if (exact !== null) return exact;
  }
  const [earlier, later] = [before.values, now.values];
  const found = change(drawn(earlier), drawn(later), COARSE_CLOCK, seededRandom(SEED));
  return found === null ? null : { ...inMilliseconds(found), drawnFrom: [size(earlier), size(later)], from: 'sketch' };
}

/** null where samples of a period are not kept any more. */
function fromSamples(
  source: ReadingSource,
  filters: Filters,
  before: ChangeSide,
  now: ChangeSide,
): PeriodChange | null {
  try {
    const { cells } = compareSides(
      source,
      {
        before: { range: before.range, filters },
        after: { range: now.range, filters },
        by: [],
        time: 'ttlb',
        // The caller has checked that both may be shown.
        minGroupSize: 0,
        seed: SEED,
      },
      { before: before.selection, after: now.selection },
    );
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
