import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { once } from '../../lib/once.ts';
import { calendarMonth, calendarMonthStart } from '../../reductions/browser-count.ts';
import type { BlockRequest } from '../passes/cell-selection.ts';
import { answeredRange, type Segment, type StepRange, type Within } from '../passes/plan-range.ts';
import type { Checkpoint, PlannedRange, QuestionEngine, ReadFrom } from '../passes/question-jobs.ts';
import { MAX_KEPT_ROWS } from '../passes/range-reader.ts';
import type { RangeSource, SourceRows } from '../passes/range-source.ts';
import { planStored, rollupRange } from '../passes/stored-plan.ts';
import { bucketStart } from '../rollups/resolutions.ts';
import { addDigest, type Digest } from '../rollups/row-digest.ts';
import { CLIENTS, COUNTS, TIME_METRIC_NAMES, TIME_METRICS, type TimeMetric } from '../rollups/time-metrics.ts';
import { decodeSamples } from './decode-samples.ts';
import { ALL_COLUMNS, type FetchedColumns, type NeededColumns } from './needed-columns.ts';
import type { Bound, ClickHouse } from './open-clickhouse.ts';
import { type BlockOfStep, ONLY_STEP, type ReadCells } from './read-cells.ts';
import {
  clientsIn,
  countersIn,
  digestsOfSamples,
  numbersIn,
  type RangeParts,
  rowsOfSamples,
  sketchesIn,
  valuesOfSamples,
  withinRanges,
} from './statements.ts';
import { readDigests, type StoredBuckets } from './stored-buckets.ts';

/** Rows per statement; an hour of more rows is read in parts of about as many. */
const MAX_ROWS = 250_000;

/** Each block has its own list of texts, which would have to be joined. */
const IN_FEW_BLOCKS = { max_block_size: 2 ** 18, preferred_block_size_bytes: 0 } as const;

/** Steps that one statement answers: a sketch of each group of each step is in memory. */
const STEPS_AT_ONCE = 64;

const METRIC_OF = new Map<number, TimeMetric>(TIME_METRIC_NAMES.map((name) => [TIME_METRICS[name], name]));

/** What one job reads from: the state of the rollups when it began, and the numbers that its blocks have. */
export interface JobState {
  readonly buckets: StoredBuckets;
  readonly cells: ReadCells;
  /** Of its samples. */
  readonly columns: NeededColumns;
}

/** What passes read of one step. */
type Reductions = Pick<PlannedRange, 'blocks' | 'clientBlocks'>;

interface Together {
  /** What the next pass will read, over one step or all of them. */
  prepare(requests: readonly BlockRequest[]): void;
  readonly steps: readonly Reductions[];
}

/** Opens ranges: reductions are statements over rollups and samples, rows are read an hour or more at a time. */
export function createClickHouseRanges(
  clickHouse: ClickHouse,
  state: () => Promise<JobState>,
): Required<Pick<QuestionEngine, 'openRange' | 'openSteps'>> {
  const select = ({ sql, params }: Bound) => clickHouse.select(sql, params);

  /** Exact values are computed from samples: sorting them takes ClickHouse no longer than reading them from rollups. */
  const planOf = (buckets: StoredBuckets, parts: readonly TimeRange[], from: ReadFrom) =>
    planStored(buckets, parts, from === 'sketches' ? 'sketches' : 'samples');

  /** Reads steps that follow one another by one statement each time. @param starts epoch ms */
  function readTogether(
    { cells, buckets }: JobState,
    sources: readonly RangeParts[],
    starts: readonly number[],
    from: ReadFrom,
    checkpoint: Checkpoint,
  ): Together {
    const parts: RangeParts = {
      segments: sources.flatMap(({ segments }) => segments),
      samples: sources.flatMap(({ samples }) => samples),
    };
    const steps = starts.length > 1 ? starts : null;
    const months = once(() => monthsOf(starts, rollupRange(buckets)));
    let requested: readonly BlockRequest[] = [];
    const answers = new Map<string, BlockOfStep>();

    const keyOf = ({ metric, selection, onlyCounts = false }: BlockRequest) =>
      JSON.stringify([metric, selection, onlyCounts]);

    /** The blocks of a request, and those of others that the same statement can answer. */
    async function readBlocks(request: BlockRequest): Promise<(readonly [BlockRequest, BlockOfStep])[]> {
      const { metric, selection, onlyCounts } = request;
      const asked = { parts, selection, steps };
      if (metric === COUNTS) return [[request, cells.counts(await select(countersIn(asked)))]];
      if (metric === CLIENTS) return [[request, cells.clients(await select(clientsIn({ ...asked, steps: months() })))]];
      const name = METRIC_OF.get(metric);
      if (name === undefined) return [];
      if (onlyCounts === true) return [[request, cells.numbers(await select(numbersIn(name, asked)))]];
      if (from === 'values') return [[request, cells.values(await select(valuesOfSamples(name, asked)))]];
      const own = JSON.stringify(selection);
      const alike = requested.filter((one) => one.onlyCounts !== true && JSON.stringify(one.selection) === own);
      const names = new Set([name, ...alike.flatMap((one) => METRIC_OF.get(one.metric) ?? [])]);
      const sketches = cells.sketches(await select(sketchesIn([...names], asked)));
      return Array.from(names, (of) => [
        { metric: TIME_METRICS[of], selection },
        sketches.get(TIME_METRICS[of]) ?? NO_BLOCKS,
      ]);
    }

    async function answerOf(request: BlockRequest): Promise<BlockOfStep> {
      // Blocks with values have their numbers, too.
      const known = answers.get(keyOf({ ...request, onlyCounts: false })) ?? answers.get(keyOf(request));
      if (known !== undefined) return known;
      checkpoint();
      for (const [one, blocks] of await readBlocks(request)) answers.set(keyOf(one), blocks);
      return answers.get(keyOf(request)) ?? NO_BLOCKS;
    }

    return {
      prepare(requests) {
        requested = requests;
        // Steps are read one after the other by passes that are alike.
        if (steps === null) answers.clear();
      },
      steps: starts.map((start, index) => ({
        async blocks(request) {
          const block = (await answerOf(request)).get(steps === null ? ONLY_STEP : start);
          return block === undefined ? [] : [block];
        },
        async clientBlocks(selection, named) {
          const blocks = await answerOf({ metric: CLIENTS, selection });
          const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
          const own = months().flatMap((first) => {
            const block = first < start || first >= end ? undefined : blocks.get(first);
            return block === undefined ? [] : [{ month: calendarMonth(first), block }];
          });
          if (named && own.length > 0) await cells.nameClients();
          return own;
        },
      })),
    };
  }

  async function openRange(
    range: TimeRange,
    from: ReadFrom,
    checkpoint: Checkpoint,
    within: Within = null,
  ): Promise<PlannedRange> {
    const job = await state();
    const { buckets, columns } = job;
    const needed = from === 'samples' ? columns.ofRange() : ALL_COLUMNS.ofRange();
    const parts = within ?? [answeredRange(range)];
    const plan = planOf(buckets, parts, from);
    const { prepare, steps } = readTogether(job, [partsOf(plan, buckets)], [range.from], from, checkpoint);
    const inEdges = once(() => readHours(clickHouse, plan.edges));
    const kept = once(async () => {
      const all: SourceRows[] = [];
      for await (const rows of readRows(once(() => needed.ofNext(true)))) all.push(rows);
      return all;
    });
    /** @param lasting columns may be used after the pass, so that each statement is given all */
    const columnsOfPass = (lasting: boolean) => {
      let isFirst = true;
      return () => {
        const fetched = needed.ofNext(isFirst);
        isFirst = lasting;
        return fetched;
      };
    };
    const stored = async () => (await inEdges()).reduce((sum, [, { n }]) => sum + n, 0);

    /**
     * Fetches the next slice while one is processed.
     * @param columnsOfNext statement
     */
    async function* readRows(columnsOfNext: () => FetchedColumns): AsyncGenerator<SourceRows> {
      const slices = slicesOf(await inEdges(), MAX_ROWS);
      const begin = (slice: TimeRange) => {
        const fetched = columnsOfNext();
        const { sql, params } = rowsOfSamples(fetched.columns, withinRanges(cutTo(parts, slice)));
        return { fetched, statement: clickHouse.begin(sql, params, IN_FEW_BLOCKS) };
      };
      let begun: ReturnType<typeof begin> | null = null;
      try {
        for (const [index, slice] of slices.entries()) {
          checkpoint();
          const { statement, fetched } = begun ?? begin(slice);
          begun = null;
          const columns = decodeSamples(await statement.answer, fetched);
          const next = slices[index + 1];
          if (next !== undefined && !fetched.isTrial) begun = begin(next);
          if (columns.n > 0) yield { columns, ranges: null, t0: slice.from, stored: columns.n, lasting: true };
        }
      } finally {
        begun?.statement.drop();
      }
    }

    return {
      ...(from === 'samples' ? NO_REDUCTIONS : (steps[0] as Reductions)),
      prepare,
      stored,
      async *rows(lasting = false) {
        if (from !== 'samples') return;
        yield* (await stored()) <= MAX_KEPT_ROWS ? await kept() : readRows(columnsOfPass(lasting));
      },
      digest: once(async () => {
        const total: Digest = { n: 0, a: 0, b: 0 };
        for (const segment of plan.segments) addDigest(total, buckets.digestOf(segment));
        for (const [, digest] of await inEdges()) addDigest(total, digest);
        return total;
      }),
    };
  }

  function openSteps(
    steps: readonly StepRange[],
    from: 'sketches' | 'values',
    checkpoint: Checkpoint,
  ): (step: number) => Promise<RangeSource> {
    const starts = steps.map(({ range }) => range.from);
    let first = Number.NaN;
    let together: Together | null = null;
    return async (step) => {
      const own = step - (step % STEPS_AT_ONCE);
      if (together === null || own !== first) {
        const end = own + STEPS_AT_ONCE;
        const job = await state();
        const sources = steps
          .slice(own, end)
          .map(({ range, within }) => partsOf(planOf(job.buckets, within ?? [range], from), job.buckets));
        together = readTogether(job, sources, starts.slice(own, end), from, checkpoint);
        first = own;
      }
      return { ...(together.steps[step - own] as Reductions), prepare: together.prepare, rows: () => [] };
    };
  }

  return { openRange, openSteps };
}

const NO_BLOCKS: BlockOfStep = new Map();
const NO_REDUCTIONS: Reductions = { blocks: () => [], clientBlocks: () => [] };

/** Hours without a current rollup are read from samples. */
function partsOf({ segments, edges }: ReturnType<typeof planStored>, buckets: StoredBuckets): RangeParts {
  const isRolledUp = ({ resolution, bucket }: Segment) => resolution !== 'hour' || buckets.isRolledUp(bucket);
  const single = segments.filter((segment) => !isRolledUp(segment) && buckets.digestOf(segment).n > 0);
  return {
    segments: segments.filter((segment) => isRolledUp(segment) && buckets.digestOf(segment).n > 0),
    samples: [...edges, ...single.map(toRange)],
  };
}

export function toRange({ resolution, bucket }: Segment): TimeRange {
  return { from: bucketStart(resolution, bucket), to: bucketStart(resolution, bucket + 1) };
}

/** Samples as columns, in order of time from one to the next. @param rows about how many each has */
export async function* readSlices(
  clickHouse: ClickHouse,
  parts: readonly TimeRange[],
  rows: number,
): AsyncGenerator<SampleColumns> {
  for (const slice of slicesOf(await readHours(clickHouse, parts), rows)) {
    const fetched = ALL_COLUMNS.ofRange().ofNext(false);
    const { sql, params } = rowsOfSamples(fetched.columns, withinRanges(cutTo(parts, slice)));
    const columns = decodeSamples(await clickHouse.select(sql, params, IN_FEW_BLOCKS), fetched);
    if (columns.n > 0) yield columns;
  }
}

/** By hour, in order. */
export async function readHours(
  clickHouse: ClickHouse,
  parts: readonly TimeRange[],
): Promise<[hour: number, Digest][]> {
  if (parts.length === 0) return [];
  const { sql, params } = digestsOfSamples(withinRanges(parts));
  return readDigests(await clickHouse.select(sql, params), 'hour');
}

/** Ranges of about so many samples, in order. */
function slicesOf(hours: readonly (readonly [number, Digest])[], rows: number): TimeRange[] {
  const slices: { from: number; to: number; n: number }[] = [];
  for (const [hour, { n }] of hours) {
    const [from, to] = [bucketStart('hour', hour), bucketStart('hour', hour + 1)];
    const last = slices.at(-1);
    if (n > rows) {
      const width = Math.ceil((to - from) / Math.ceil(n / rows));
      for (let at = from; at < to; at += width) slices.push({ from: at, to: Math.min(to, at + width), n: rows });
    } else if (last !== undefined && last.n + n <= rows) {
      last.to = to;
      last.n += n;
    } else slices.push({ from, to, n });
  }
  return slices;
}

function cutTo(parts: readonly TimeRange[], { from, to }: TimeRange): TimeRange[] {
  return parts
    .map((part) => ({ from: Math.max(part.from, from), to: Math.min(part.to, to) }))
    .filter((part) => part.from < part.to);
}

/** Where steps and, within them, calendar months begin: no bucket is longer. @param kept all that is stored */
function monthsOf(starts: readonly number[], kept: TimeRange | null): number[] {
  const months = new Set(starts);
  if (kept !== null) {
    for (let month = calendarMonth(kept.from); calendarMonthStart(month) < kept.to; month++) {
      const start = calendarMonthStart(month);
      if (start > (starts[0] as number)) months.add(start);
    }
  }
  return [...months].sort((a, b) => a - b);
}
