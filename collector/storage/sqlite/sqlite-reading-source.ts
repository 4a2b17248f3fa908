import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { once } from '../../lib/once.ts';
import { createCountedBrowsers } from '../passes/browser-sets.ts';
import { answeredRange } from '../passes/plan-range.ts';
import { createRangeReader } from '../passes/range-reader.ts';
import type { ClockCorrections, ReadingSource, Within } from '../passes/reading-source.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import type { Digest } from '../rollups/row-digest.ts';
import { StoreError } from '../store-error.ts';
import type { Planned } from './reader-jobs.ts';
import { createFleetSource } from './sqlite-fleet.ts';
import type { Checkpoint, createRanges } from './sqlite-ranges.ts';
import { createKeptRange } from './stored-plan.ts';

/** Reading ten million samples takes several seconds: beyond this the answer would take too long. */
const MAX_FINE_SAMPLES = 200_000_000;

interface Parts {
  readonly database: Database;
  readonly openRange: ReturnType<typeof createRanges>;
  readonly planned: (query: { readonly range: TimeRange; readonly exact: boolean }, within: Within) => Planned;
  readonly checkpoint: Checkpoint;
}

/** Provides the reading source of a job, inside its transaction. */
export function createReadingSource({ database, openRange, planned, checkpoint }: Parts) {
  const clocks = database.prepare<[number, number], ClockCorrections>(
    `SELECT count(*) AS batches, coalesce(sum(clock_correction <> 0), 0) AS corrected,
       coalesce(max(abs(clock_correction)), 0) AS largestMs
     FROM batch WHERE received_at >= ? AND received_at < ?`,
  );

  const kept = createKeptRange(database);
  const fleet = createFleetSource(database);

  const fine = (range: TimeRange, within: Within): Planned => ({
    source: openRange(answeredRange(range), 'samples', checkpoint, within),
    exact: true,
    fine: true,
  });

  return (catalog: CellCatalog, meter: WorkMeter): ReadingSource => ({
    kept,
    fleet,
    checkpoint,
    open(range, how, readings = 1, within = null) {
      const plan = how === 'fine' ? fine(range, within) : planned({ range, exact: how === 'exact' }, within);
      if (how === 'fine') {
        const samples = plan.source.stored();
        refuseTooMany(samples);
        meter.expect(samples * readings);
      }
      // The digest does not depend on how it is computed; buckets avoid reading every sample.
      const digest = once(() =>
        (how === 'fine' ? openRange(range, 'sketches', checkpoint, within) : plan.source).digest(),
      );
      const { rows, blocks, clientBlocks } = plan.source;
      const opened = { rows, blocks, clientBlocks, checkpoint, ...(how === 'fine' ? { worked: meter.done } : {}) };
      return {
        reader: (options) => createRangeReader(opened, catalog, plan.exact, options),
        exact: plan.exact,
        fine: plan.fine,
        get samples() {
          return digest().n;
        },
        get dataHash() {
          return dataHash(digest());
        },
      };
    },
    openPart(range, how, within = null) {
      const exact = how === 'exact';
      return createRangeReader(openRange(range, exact ? 'values' : 'sketches', checkpoint, within), catalog, exact);
    },
    countedBrowsers: (enough, counts) => createCountedBrowsers(catalog, enough, counts),
    clockCorrections: ({ from, to }) => clocks.get(from, to) ?? { batches: 0, corrected: 0, largestMs: 0 },
  });
}

export function dataHash({ n, a, b }: Digest): string {
  return createHash('sha256').update(`${n} ${a} ${b}`).digest('hex');
}

function refuseTooMany(samples: number): void {
  if (samples <= MAX_FINE_SAMPLES) return;
  throw new StoreError(
    'too_many_samples',
    `this has to be read sample by sample, and the range has about ${samples} of them`,
    `Request a shorter range: at most ${MAX_FINE_SAMPLES} samples, regardless of filters.`,
  );
}

/** Measures the progress of a job. */
export interface WorkMeter {
  /** Announces samples before they are read. */
  expect(samples: number): void;
  done(samples: number): void;
}

/** @param report called with the part, 0…1, never decreasing */
export function createWorkMeter(report: (part: number) => void): WorkMeter {
  let expected = 0;
  let read = 0;
  let reported = 0;
  return {
    expect(samples) {
      expected += samples;
    },
    done(samples) {
      read += samples;
      const part = read / expected;
      if (!(part > reported)) return;
      reported = part;
      report(part);
    },
  };
}
