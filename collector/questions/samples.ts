import { Type } from 'typebox';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { ASKED_DIMENSIONS, type Filters, type TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { type AnswerOf, Count, MethodSchema, object, words } from '../analysis/answer-schema.ts';
import { ASKABLE_TIMES, type AskableTime, rowTimes } from '../storage/passes/asked-times.ts';
import { collectFirstSamples, collectFirstTimes } from '../storage/passes/collect-first-samples.ts';
import { toDistribution } from '../storage/passes/collectors.ts';
import type { QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import { joined } from '../storage/passes/stored-plan.ts';
import { decimal, filters, oneOf, RANGE, whole } from './parameters.ts';
import { invalid } from './query-string.ts';
import { describeMethod, foldedCells, question } from './question.ts';
import { SAMPLE, sampleDocument, WITHHELD } from './sample-schema.ts';
import { foldingReadings, foldSmallGroups, leftOut } from './visibility/fold-small-groups.ts';
import { IDENTIFYING_DIMENSIONS } from './visibility/identifying-dimensions.ts';
import { createVisibility, type ViewerRule } from './visibility/visibility.ts';

const MAX_SAMPLES = 200;
const DEFAULT_SAMPLES = 50;
const MAX_MS = 86_400_000;

const ORDERS = ['slowest', 'fastest', 'newest', 'median'] as const;
type Order = (typeof ORDERS)[number];

const Answer = object({
  method: MethodSchema,
  metric: words(ASKABLE_TIMES),
  order: words(ORDERS),
  /** Samples with a value of the metric between `min` and `max`; those listed are the first of them. */
  matching: Count,
  samples: Type.Array(object(SAMPLE)),
  /** Members of each sample that are null because of the recipient's role. */
  withheld: Type.Array(Type.String()),
});
/** `GET /api/v1/samples`. */
export type SamplesDocument = AnswerOf<typeof Answer>;

export interface SamplesPlan extends ViewerRule {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly metric: AskableTime;
  /** Of the metric, ms. */
  readonly min: number | null;
  readonly max: number | null;
  readonly order: Order;
  readonly limit: number;
  /** Whether single browsers may be named. */
  readonly nameBrowsers: boolean;
}

/** The requests behind a point of a chart: they count as they do in its numbers. */
export const samples = question({
  name: 'samples',
  address: '/api/v1/samples',
  description: 'Single requests: the slowest, the fastest, the newest, or those nearest to the median.',
  parameters: {
    range: RANGE,
    metric: oneOf(
      ASKABLE_TIMES,
      'ttlb',
      'The time that orders and limits them; requests without a value are left out.',
    ),
    min: decimal(MAX_MS, 'Lowest value of the metric, ms, inclusive.'),
    max: decimal(MAX_MS, 'Highest value of the metric, ms, exclusive, like the bins of a histogram.'),
    order: oneOf(ORDERS, 'slowest', 'Which come first; median: nearest to the median of those that match.'),
    limit: whole({ min: 1, max: MAX_SAMPLES }, DEFAULT_SAMPLES, 'Requests at most.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query(given) {
    const { min, max } = given;
    if (min !== null && max !== null && min >= max)
      throw invalid('min is not below max', 'min is inclusive, max exclusive.');
    return given;
  },
  answer: Answer,
  takesLong: () => true,
  plan: (query, { range, rule, nameBrowsers }): SamplesPlan => ({ ...query, range, ...rule, nameBrowsers }),
  asked: ({ range, filters }) => ({ range, filters }),
  async read(source, plan) {
    const { range, filters, metric, order, limit, minGroupSize, nameBrowsers } = plan;
    const readings = 1 + foldingReadings(minGroupSize) + (order === 'median' ? 1 : 0);
    const opened = await source.open(range, 'fine', readings);
    const all = opened.reader();
    const reader = all.filtered(filters);
    // Viewers get the same rows as in an export.
    const by = minGroupSize > 1 ? IDENTIFYING_DIMENSIONS : [];
    const folded = await foldSmallGroups(createVisibility(source, plan, range), all, { by, filters });
    const groups = reader.groups(by, filters, leftOut(folded));
    const valuesOf = (part: RowPart) => valuesBetween(part, plan);
    const middle = order === 'median' ? await medianOf(reader, groups, valuesOf) : null;
    const ranks = (part: RowPart) => ranksOf(part, valuesOf(part), order, middle);
    const pass = reader.pass();
    const found = collectFirstTimes(pass, groups, ranks, limit);
    await pass.run();
    const { matching, times } = found();
    // Read again by their times: the whole samples of the first pass would have been all columns of nearly every part.
    const moments = joined(times.map((at) => ({ from: at, to: at + 1 })));
    const secondPass = (await source.open(range, 'fine', 1, moments)).reader().filtered(filters).pass();
    const whole = collectFirstSamples(secondPass, groups, ranks, limit);
    await secondPass.run();
    const { samples } = whole();
    return {
      ...(await describeMethod(opened, foldedCells(folded, minGroupSize), true)),
      metric,
      order,
      matching,
      samples: samples.map((sample) => sampleDocument(sample, nameBrowsers)),
      withheld: nameBrowsers ? [] : [...WITHHELD],
    };
  },
});

/** The metric of each row, µs; NaN if it has none or one outside `min` and `max`. */
function valuesBetween(part: RowPart, { metric, min, max }: SamplesPlan): Float64Array {
  const [first, ...others] = rowTimes(part, metric);
  const values = new Float64Array(part.columns.n).fill(Number.NaN);
  const [low, high] = [(min ?? 0) * 1000, max === null ? Number.POSITIVE_INFINITY : max * 1000];
  for (let row = 0; row < values.length; row++) {
    // Different rows have their value in different columns.
    const value = others.reduce(
      (known, column) => (Number.isNaN(known) ? (column[row] as number) : known),
      first?.[row] ?? Number.NaN,
    );
    if (value >= low && value < high) values[row] = value;
  }
  return values;
}

/** Lower ranks come first. */
function ranksOf(part: RowPart, values: Float64Array, order: Order, middle: number | null): Float64Array {
  const at = part.columns.at();
  switch (order) {
    case 'fastest':
      return values;
    case 'slowest':
      return values.map((value) => -value);
    case 'newest':
      return values.map((value, row) => (Number.isNaN(value) ? value : -(at[row] as number)));
    case 'median':
      return values.map((value) => Math.abs(value - (middle ?? 0)));
  }
}

/** Of all groups together, µs; null if nothing matches. */
async function medianOf(
  reader: RangeReader,
  groups: QueryGroups,
  valuesOf: (part: RowPart) => Float64Array,
): Promise<number | null> {
  const pass = reader.pass();
  const take = pass.collectRows(
    (part) => [valuesOf(part)],
    (part) => groups.groupsOfRows(part).map((group) => Math.min(group, 0)),
  );
  await pass.run();
  const { n, valueAtRank } = toDistribution(take(0));
  return n === 0 ? null : valueAtRank(quantileRank(0.5, n));
}
