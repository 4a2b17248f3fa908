import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { once } from '../../lib/once.ts';
import { calendarMonth, calendarMonthStart } from '../../reductions/browser-count.ts';
import type { BlockRequest, CellSelection } from '../passes/cell-selection.ts';
import { answeredRange, type Segment } from '../passes/plan-range.ts';
import type { PlannedRange, QuestionEngine } from '../passes/question-jobs.ts';
import { MAX_KEPT_ROWS, type SourceRows } from '../passes/range-reader.ts';
import type { Within } from '../passes/reading-source.ts';
import { planStored } from '../passes/stored-plan.ts';
import { bucketStart } from '../rollups/resolutions.ts';
import { addDigest, type Digest } from '../rollups/row-digest.ts';
import { COUNTS, TIME_METRIC_NAMES, TIME_METRICS, type TimeMetric } from '../rollups/time-metrics.ts';
import type { ClickHouse } from './blocking-query.ts';
import { decodeSamples } from './decode-samples.ts';
import type { ReadCells } from './read-cells.ts';
import {
  type Bound,
  clientsIn,
  countersIn,
  digestsOfSamples,
  insideOf,
  type RangeParts,
  rowsOfSamples,
  sketchesIn,
  valuesOfSamples,
} from './statements.ts';
import { digestsOf, type StoredBuckets } from './stored-buckets.ts';

/** Rows per statement; an hour of more rows is read in parts of about as many. */
const MAX_ROWS = 250_000;

const METRIC_OF = new Map<number, TimeMetric>(TIME_METRIC_NAMES.map((name) => [TIME_METRICS[name], name]));

/** What one job reads from: the state of the rollups when it began, and the numbers that its blocks have. */
export interface JobState {
  readonly buckets: StoredBuckets;
  readonly cells: ReadCells;
}

/** Opens ranges: reductions are statements over rollups and samples, rows are read an hour or more at a time. */
export function createClickHouseRanges(clickHouse: ClickHouse, state: () => JobState): QuestionEngine['openRange'] {
  const select = ({ sql, params }: Bound) => clickHouse.select(sql, params);

  return function open(range, from, checkpoint, within: Within = null): PlannedRange {
    const { buckets, cells } = state();
    const parts = within ?? [answeredRange(range)];
    // Exact values are computed from samples: sorting them takes ClickHouse no longer than reading them from rollups.
    const plan = planStored(buckets, parts, from === 'sketches' ? 'sketches' : 'samples');
    const sources = partsOf(plan, buckets);
    const inEdges = once(() => hoursOf(clickHouse, plan.edges));
    const kept = once(() => [...readRows()]);
    const stored = () => inEdges().reduce((sum, [, { n }]) => sum + n, 0);

    function* readRows(): Generator<SourceRows> {
      for (const slice of slicesOf(inEdges(), MAX_ROWS)) {
        checkpoint();
        const columns = readRowsOf(clickHouse, cutTo(parts, slice));
        if (columns.n > 0) yield { columns, ranges: null, t0: slice.from, stored: columns.n, lasting: true };
      }
    }

    /** What the current pass reads, and what was read so far. */
    let asked: readonly BlockRequest[] = [];
    const answers = new Map<string, readonly Uint8Array[]>();

    /** The blocks of a metric, and those of others that the same statement can answer. */
    function readBlocks(
      metric: number,
      selection: CellSelection,
      key: string,
    ): Iterable<readonly [metric: number, blocks: readonly Uint8Array[]]> {
      if (metric === COUNTS) return [[COUNTS, cells.counts(select(countersIn(selection, sources)))]];
      const name = METRIC_OF.get(metric);
      if (name === undefined) return [];
      if (from === 'values') return [[metric, cells.values(select(valuesOfSamples(name, selection, insideOf(parts))))]];
      const names = new Set([
        name,
        ...asked.flatMap((one) => (JSON.stringify(one.selection) === key ? (METRIC_OF.get(one.metric) ?? []) : [])),
      ]);
      const sketches = cells.sketches(select(sketchesIn([...names], selection, sources)));
      return [...names].map((own) => [TIME_METRICS[own], sketches.get(TIME_METRICS[own]) ?? []]);
    }

    return {
      stored,
      rows: () => (from !== 'samples' ? [] : stored() <= MAX_KEPT_ROWS ? kept() : readRows()),
      prepare(requests) {
        asked = requests;
        answers.clear();
      },
      blocks(metric, selection) {
        if (from === 'samples') return [];
        const key = JSON.stringify(selection);
        const known = answers.get(`${metric} ${key}`);
        if (known !== undefined) return known;
        checkpoint();
        for (const [of, blocks] of readBlocks(metric, selection, key)) answers.set(`${of} ${key}`, blocks);
        return answers.get(`${metric} ${key}`) ?? [];
      },
      *clientBlocks(selection) {
        if (from === 'samples') return;
        for (const [month, own] of byMonth(sources)) {
          checkpoint();
          for (const block of cells.clients(select(clientsIn(selection, own)))) yield { month, block };
        }
      },
      digest: once(() => {
        const total: Digest = { n: 0, a: 0, b: 0 };
        for (const segment of plan.segments) addDigest(total, buckets.digestOf(segment));
        for (const [, digest] of inEdges()) addDigest(total, digest);
        return total;
      }),
    };
  };
}

/** Hours without a current rollup are read from samples. */
function partsOf({ segments, edges }: ReturnType<typeof planStored>, buckets: StoredBuckets): RangeParts {
  const isRolledUp = ({ resolution, bucket }: Segment) => resolution !== 'hour' || buckets.isRolledUp(bucket);
  const single = segments.filter((segment) => !isRolledUp(segment) && buckets.digestOf(segment).n > 0);
  return {
    segments: segments.filter((segment) => isRolledUp(segment) && buckets.digestOf(segment).n > 0),
    samples: [...edges, ...single.map(rangeOf)],
  };
}

function rangeOf({ resolution, bucket }: Segment): TimeRange {
  return { from: bucketStart(resolution, bucket), to: bucketStart(resolution, bucket + 1) };
}

/** Samples as columns, in order of time from one to the next. @param rows about how many each has */
export function* readSlices(
  clickHouse: ClickHouse,
  parts: readonly TimeRange[],
  rows: number,
): Generator<SampleColumns> {
  for (const slice of slicesOf(hoursOf(clickHouse, parts), rows)) {
    const columns = readRowsOf(clickHouse, cutTo(parts, slice));
    if (columns.n > 0) yield columns;
  }
}

function readRowsOf(clickHouse: ClickHouse, parts: readonly TimeRange[]): SampleColumns {
  const { sql, params } = rowsOfSamples(insideOf(parts));
  return decodeSamples(clickHouse.select(sql, params));
}

/** By hour, in order. */
export function hoursOf(clickHouse: ClickHouse, parts: readonly TimeRange[]): [hour: number, Digest][] {
  if (parts.length === 0) return [];
  const { sql, params } = digestsOfSamples(insideOf(parts));
  return digestsOf(clickHouse.select(sql, params), 'hour');
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

/** The parts of each calendar month: no bucket is longer, and edges are shorter than an hour. */
function byMonth({ segments, samples }: RangeParts): Map<number, RangeParts> {
  const months = new Map<number, { segments: Segment[]; samples: TimeRange[] }>();
  const of = (month: number) => {
    const own = months.get(month) ?? { segments: [], samples: [] };
    months.set(month, own);
    return own;
  };
  for (const segment of segments) of(calendarMonth(rangeOf(segment).from)).segments.push(segment);
  for (const range of samples) {
    for (let month = calendarMonth(range.from); calendarMonthStart(month) < range.to; month++) {
      of(month).samples.push(...cutTo([range], { from: calendarMonthStart(month), to: calendarMonthStart(month + 1) }));
    }
  }
  return months;
}
