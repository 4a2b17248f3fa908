import type { Database } from 'better-sqlite3';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { Kept, RangePlan } from '../passes/plan-range.ts';
import type { ReadFrom } from '../passes/question-jobs.ts';
import { keptRange, planStored, type StoredFacts } from '../passes/stored-plan.ts';
import { RESOLUTIONS } from '../rollups/resolutions.ts';

/** Plans how ranges are read from a database: see planStored. */
export function createStoredPlan(database: Database): (parts: readonly TimeRange[], from: ReadFrom) => RangePlan {
  const facts = createFacts(database);
  return (parts, from) => planStored(facts, parts, from);
}

function createFacts(database: Database): StoredFacts {
  const whole = database
    .prepare<[number, number], number | null>(
      'SELECT 1 FROM bucket WHERE level = ? AND bucket = ? AND stale_since IS NULL',
    )
    .pluck();
  const later = database
    .prepare<[number, number], number>(
      'SELECT 1 FROM chunk WHERE t0 < ? AND t1 >= ? AND id NOT IN (SELECT chunk FROM pending) LIMIT 1',
    )
    .pluck();
  const samplesFrom = database.prepare<[], number>('SELECT samples_from FROM state').pluck();
  const extent = database.prepare<[number], { first: number | null; last: number | null }>(
    'SELECT min(bucket) AS first, max(bucket) AS last FROM bucket WHERE level = ?',
  );
  const samples = database
    .prepare<[number, number, number], number>(
      'SELECT coalesce(sum(n), 0) FROM bucket WHERE level = ? AND bucket >= ? AND bucket <= ?',
    )
    .pluck();
  return {
    samplesFrom: () => samplesFrom.get() ?? 0,
    isWhole: (resolution, bucket) => whole.get(RESOLUTIONS[resolution], bucket) !== undefined,
    extent(resolution) {
      const { first, last } = extent.get(RESOLUTIONS[resolution]) ?? { first: null, last: null };
      return first === null || last === null ? null : { first, last };
    },
    samplesIn: (resolution, first, last) => samples.get(RESOLUTIONS[resolution], first, last) ?? 0,
    hasSamples: (from, to) => later.get(to, from) !== undefined,
  };
}

/** From the first sample or rollup to the end of the newest. */
export function createKeptRange(database: Database): () => Kept | null {
  const facts = createFacts(database);
  const chunks = database.prepare<[], { first: number | null; last: number | null }>(
    'SELECT min(t0) AS first, max(t1) AS last FROM chunk',
  );
  return () => {
    const { first, last } = chunks.get() ?? { first: null, last: null };
    return keptRange(facts, first === null || last === null ? null : { from: first, to: last + 1 });
  };
}
