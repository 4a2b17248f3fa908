import { createHash } from 'node:crypto';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { once } from '../../lib/once.ts';
import type { JobControl } from '../../lib/worker-pool.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import type { Digest } from '../rollups/row-digest.ts';
import { StoreError } from '../store-error.ts';
import { createCountedBrowsers } from './browser-sets.ts';
import {
  answerAggregate,
  answerDistributions,
  type CollectedAggregate,
  type CollectedTime,
  type StoreQuery,
  type TimeQuery,
} from './collect-cells.ts';
import { answeredRange, type Kept, type StepRange, type Within } from './plan-range.ts';
import { createRangeReader } from './range-reader.ts';
import type { RangeSource } from './range-source.ts';
import type { ClockCorrections, FleetSource, Reading, ReadingSource, StoredData } from './reading-source.ts';

/** Ranges of at most this many samples are answered from the samples themselves, exactly. */
const MAX_SMALL = 50_000;

/** The data an answer is computed from: rollups with samples at the edges, every value, or samples alone. */
export type ReadFrom = 'sketches' | 'values' | 'samples';

/** Called between blocks; throws once the query is cancelled. */
export type Checkpoint = () => void;

export interface PlannedRange extends RangeSource {
  /** The number of samples in the range, regardless of filters, and the sum of their hashes. */
  digest(): Digest | Promise<Digest>;
  /** How many samples have to be read for its rows. */
  stored(): number | Promise<number>;
}

/** What an engine provides. */
export interface QuestionEngine {
  openRange(
    range: TimeRange,
    from: ReadFrom,
    checkpoint: Checkpoint,
    within?: Within,
  ): PlannedRange | Promise<PlannedRange>;
  /** See ReadingSource: for an engine that reads several steps at once. Otherwise each is a range. */
  openSteps?(
    steps: readonly StepRange[],
    from: Exclude<ReadFrom, 'samples'>,
    checkpoint: Checkpoint,
  ): (step: number) => RangeSource | Promise<RangeSource>;
  /** Whether all `n` samples of a range are still there one by one. */
  isKept(range: TimeRange, n: number): boolean | Promise<boolean>;
  /** A question that has to read more samples than this one by one is refused. */
  readonly maxFineSamples: number;
  /** See ReadingSource. */
  kept(): Kept | null | Promise<Kept | null>;
  clockCorrections(range: TimeRange): ClockCorrections;
  readonly fleet: FleetSource;
  catalog(): CellCatalog;
  /** Runs a job on one consistent state of the data, again from the start if need be. @param name of its reading */
  inSnapshot<T>(name: string, job: () => Promise<T>): Promise<T>;
}

/** The jobs that answer questions. Plain data in and out, so that they can run in another thread. */
export interface QuestionJobs {
  aggregate(query: StoreQuery): Promise<CollectedAggregate>;
  distributions(query: TimeQuery): Promise<CollectedTime>;
  read(reading: Reading<unknown, unknown>, question: unknown): Promise<unknown>;
}

interface Planned {
  readonly source: PlannedRange;
  readonly exact: boolean;
  /** Read sample by sample: there are no rollup blocks. */
  readonly fine: boolean;
}

export function createQuestionJobs(engine: QuestionEngine, { checkpoint, progress }: JobControl): QuestionJobs {
  const { openRange, inSnapshot, maxFineSamples } = engine;

  /** Small ranges exactly, if their samples are still there. */
  async function planned(
    { range: asked, exact }: Pick<StoreQuery, 'range' | 'exact'>,
    within: Within = null,
  ): Promise<Planned> {
    const range = answeredRange(asked);
    const source = await openRange(range, exact ? 'values' : 'sketches', checkpoint, within);
    const { n } = await source.digest();
    return n <= MAX_SMALL && (await engine.isKept(range, n))
      ? { source: await openRange(range, 'samples', checkpoint, within), exact: true, fine: true }
      : { source, exact, fine: false };
  }

  const fine = async (range: TimeRange, within: Within): Promise<Planned> => ({
    source: await openRange(answeredRange(range), 'samples', checkpoint, within),
    exact: true,
    fine: true,
  });

  function refuseTooMany(samples: number): void {
    if (samples <= maxFineSamples) return;
    throw new StoreError(
      'too_many_samples',
      `this has to be read sample by sample, and the range has about ${samples} of them`,
      `Request a shorter range: at most ${maxFineSamples} samples, regardless of filters.`,
    );
  }

  const readingSource = (catalog: CellCatalog, meter: WorkMeter): ReadingSource => ({
    kept: async () => engine.kept(),
    fleet: engine.fleet,
    checkpoint,
    async open(range, how, readings = 1, within = null) {
      const plan = await (how === 'fine' ? fine(range, within) : planned({ range, exact: how === 'exact' }, within));
      if (how === 'fine') {
        const samples = await plan.source.stored();
        refuseTooMany(samples);
        meter.expect(samples * readings);
      }
      // The digest does not depend on how it is computed; buckets avoid reading every sample. Those at the edges are read again,
      // so not for readings that ignore it.
      const stored = once(async () =>
        storedData(how === 'fine' ? await openRange(range, 'sketches', checkpoint, within) : plan.source),
      );
      const opened = { ...plan.source, checkpoint, ...(how === 'fine' ? { worked: meter.done } : {}) };
      return {
        reader: (options) => createRangeReader(opened, catalog, plan.exact, options),
        exact: plan.exact,
        fine: plan.fine,
        stored,
      };
    },
    openSteps(steps, how) {
      const exact = how === 'exact';
      const from = exact ? 'values' : 'sketches';
      const sourceOf =
        engine.openSteps?.(steps, from, checkpoint) ??
        ((step: number) => {
          const { range, within } = steps[step] as StepRange;
          return openRange(range, from, checkpoint, within);
        });
      return async (step) => createRangeReader(await sourceOf(step), catalog, exact);
    },
    countedBrowsers: (enough, counts) => createCountedBrowsers(catalog, enough, counts),
    clockCorrections: async (range) => engine.clockCorrections(range),
  });

  return {
    aggregate: (query) =>
      inSnapshot('aggregate', async () => {
        const { source, exact } = await planned(query);
        const cells = await answerAggregate({ ...query, exact }, source, engine.catalog());
        return { exact, ...(await storedData(source)), cells };
      }),
    distributions: (query) =>
      inSnapshot('distributions', async () => {
        const { source, exact } = await planned(query);
        const cells = await answerDistributions({ ...query, exact }, source, engine.catalog());
        return { exact, ...(await storedData(source)), cells };
      }),
    read(reading, question) {
      let reported = 0;
      const report = (part: number) => {
        if (part <= reported) return;
        reported = part;
        progress(part);
      };
      return inSnapshot(reading.name, () =>
        reading.read(readingSource(engine.catalog(), createWorkMeter(report)), question),
      );
    },
  };
}

async function storedData(source: PlannedRange): Promise<StoredData> {
  const { n, a, b } = await source.digest();
  return { samples: n, dataHash: createHash('sha256').update(`${n} ${a} ${b}`).digest('hex') };
}

/** Measures the progress of a job. */
interface WorkMeter {
  /** Announces samples before they are read. */
  expect(samples: number): void;
  done(samples: number): void;
}

/** @param report called with the part, 0…1 */
function createWorkMeter(report: (part: number) => void): WorkMeter {
  let expected = 0;
  let read = 0;
  return {
    expect(samples) {
      expected += samples;
    },
    done(samples) {
      read += samples;
      if (expected > 0) report(read / expected);
    },
  };
}
