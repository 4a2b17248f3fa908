import type { Observation } from '../../shared/statistics/bootstrap.ts';
import { type Comparison, compareGroups, inMilliseconds } from '../../shared/statistics/change.ts';
import { whyNotCompared } from '../../shared/statistics/comparability.ts';
import type { Distribution } from '../../shared/statistics/distribution.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import type { Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { CompareChange } from '../analysis/text/change-text.ts';
import type { Selection } from '../storage/passes/asked-times.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { StoreError } from '../storage/store-error.ts';
import { compareSides, countsUsers } from './compare.ts';

/** Whether the median differs from the last period's, and what that was decided from. */
export interface PeriodChange extends CompareChange {
  /** `sketch`: too many samples to draw browsers, or they are gone; requests were drawn from the sketches instead. */
  readonly from: 'samples' | 'sketch';
}

/** Up to this many samples of both periods, browsers are told apart; beyond it, a report would take too long. */
const MAX_READ = 400_000;
/** Observations drawn from a sketch: enough for an interval, and never more than there are. */
const MAX_DRAWN = 10_000;
/** Seeds the draws, so that they can be reproduced. */
const SEED = 1;
/** Coarsest clock step of browsers, µs: the minimum for a change if the steps behind a sketch are unknown. */
const COARSE_CLOCK = 1000;

export interface ChangeSide {
  readonly range: TimeRange;
  readonly selection: Selection;
  /** Samples in the range, whatever the filters. */
  readonly samples: number;
  /** All its times, µs. */
  readonly values: Distribution;
  /** Null if unknown. */
  readonly browsers: number | null;
}

/** Whether the median changed since the last period. A side is null if it has no samples. Throws a StoreError. */
export async function monthlyChange(
  source: ReadingSource,
  filters: Filters,
  before: ChangeSide | null,
  now: ChangeSide | null,
): Promise<Comparison<PeriodChange>> {
  if (before === null || now === null) return { change: null, notCompared: 'not_measured' };
  if (before.samples + now.samples <= MAX_READ) {
    const exact = await fromSamples(source, filters, before, now);
    if (exact !== null) return exact;
  }
  const chosen = !countsUsers(filters);
  // Sketches do not know their browsers, but rollups count them.
  const groups = [before, now].map(({ values: { n }, browsers }) => ({ n, browsers: chosen ? null : browsers }));
  const notCompared = whyNotCompared(...groups);
  if (notCompared !== null) return { change: null, notCompared };
  const [earlier, later] = [before.values, now.values];
  const found = compareGroups(drawn(earlier), drawn(later), COARSE_CLOCK, seededRandom(SEED), chosen);
  if (found.change === null) return found;
  const drawnFrom = [size(earlier), size(later)] as const;
  return { ...found, change: { ...inMilliseconds(found.change), drawnFrom, from: 'sketch' } };
}

/** null if samples of a period are no longer kept. */
async function fromSamples(
  source: ReadingSource,
  filters: Filters,
  before: ChangeSide,
  now: ChangeSide,
): Promise<Comparison<PeriodChange> | null> {
  try {
    const { cells } = await compareSides(
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
    const { change = null, notCompared = null } = cells[0] ?? {};
    if (change !== null) return { change: { ...change, from: 'samples' }, notCompared: null };
    return { change, notCompared: notCompared ?? 'not_measured' };
  } catch (error) {
    if (error instanceof StoreError && ['samples_expired', 'too_many_samples'].includes(error.code)) return null;
    throw error;
  }
}

function size({ n }: Distribution): number {
  return Math.min(n, MAX_DRAWN);
}

/** Evenly spaced in order of value, so that the same data give the same draw. */
function drawn(values: Distribution): Observation[] {
  const n = size(values);
  return Array.from({ length: n }, (_, i) => ({
    value: values.valueAtRank(Math.floor(((i + 0.5) * values.n) / n)),
    browser: null,
  }));
}
