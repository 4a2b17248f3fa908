import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { CellSelection } from '../passes/cell-selection.ts';
import type { Segment } from '../passes/plan-range.ts';
import { joined } from '../passes/stored-plan.ts';
import { CELL_DIMENSIONS } from '../rollups/cell-dimensions.ts';
import { bucketStart, DAY_MS, HOUR_MS, RESOLUTIONS } from '../rollups/resolutions.ts';
import { TIME_METRIC_NAMES, TIME_METRICS, type TimeMetric } from '../rollups/time-metrics.ts';
import type { Bound } from './open-clickhouse.ts';
import { FLAGS, quotedNames, type TableColumn } from './sample-table.ts';
import { fromSample, isSelected, joinNames, ofRollup, ofSample, toDimensions } from './selected-cells.ts';

/** Whether `at` lies in one of these disjoint ranges. Each costs every sample two comparisons, unless it is a single moment. */
export function withinRanges(ranges: readonly TimeRange[]): Bound {
  const params: Record<string, number | readonly number[]> = {};
  const all = joined(ranges);
  const moments = all.filter(({ from, to }) => to === from + 1).map(({ from }) => from);
  const tests = all
    .filter(({ from, to }) => to > from + 1)
    .map(({ from, to }, index) => {
      params[`from${index}`] = from;
      params[`to${index}`] = to;
      return `(at >= {from${index}:Int64} AND at < {to${index}:Int64})`;
    });
  if (moments.length > 0) {
    params.moments = moments;
    tests.push('at IN {moments:Array(Int64)}');
  }
  return { sql: tests.length === 0 ? '0' : tests.join(' OR '), params };
}

/** All dimensions of cells. */
const CELL = joinNames(CELL_DIMENSIONS);

/** Hours since 1970. */
const HOUR = 'toUInt32(intDiv(at, 3600000))';

const has = (flag: keyof typeof FLAGS) => `bitTest(flags, ${Math.log2(FLAGS[flag])})`;
const ifUsable = (name: string) => `if(${has('usable')}, ${name}, NULL)`;
const ifNew = (value: string) => `if(${has('new')}, ${value}, NULL)`;
const SHARE = `if(${has('new')} AND ${has('roundTrip')} AND NOT ${has('wholeWait')}, wait - tcp, NULL)`;

/** Each metric of a row, as `rowMetrics` computes it; NULL for none. */
const METRIC: Readonly<Record<TimeMetric, string>> = {
  blocked: ifUsable('blocked'),
  dns: ifNew('dns'),
  tcp: ifNew('tcp'),
  tls: ifNew('tls'),
  wait: `if(${has('usable')} AND NOT ${has('wholeWait')}, wait, NULL)`,
  waitWhole: `if(${has('usable')} AND ${has('wholeWait')}, wait, NULL)`,
  receive: ifUsable('receive'),
  ttfb: ifUsable('ttfb'),
  ttlb: ifUsable('ttlb'),
  setup: 'setup',
  ttlbWithoutSetup: ifNew('ttlb - ifNull(setup, 0)'),
  serverShare: SHARE,
  roundTrip: `if(isNull(${SHARE}), NULL, tcp)`,
};

/**
 * The bucket of a value, as in sketch-buckets.ts: integers only, but for the logarithm of a power of two. Below 0 for −1 − the
 * bucket of the absolute value of a negative one, so that buckets are in the order of values.
 */
function signedBucket(value: string): string {
  const size = `toUInt64(abs(${value}))`;
  const power = `roundToExp2(greatest(${size}, 64))`;
  const bucket = `if(${size} < 64, toInt64(${size}), 64 * (toUInt64(round(log2(${power}))) - 6) + intDiv(${size}, intDiv(${power}, 64)))`;
  return `toInt16(if(${value} < 0, -1 - toInt64(${bucket}), toInt64(${bucket})))`;
}

/**
 * Sketches of rollups, summed. Sums and buckets are grouped apart, because grouping by two numbers takes a fifth of the time of
 * `sumMap`: `cell` stands for the columns.
 */
function sketchesOfRollups(metrics: readonly TimeMetric[], { by, columns, inside }: Source): string {
  const rows = `FROM rollup_value WHERE metric IN ${numbersOf(metrics)} AND ${inside}`;
  return `SELECT ${by}, n, total, least, most, squares, slots, times FROM (
      SELECT ${by}, cityHash64(${by}) AS cell, sum(n) AS n, sum(total) AS total, min(least) AS least, max(most) AS most,
        sum(squares) AS squares
      FROM (SELECT metric${columns}, ${SUMS_OF_ROLLUP} ${rows}) GROUP BY ${by}
    ) AS sum INNER JOIN (
      SELECT cell, groupArray(toInt16(slot)) AS slots, groupArray(n) AS times FROM (
        SELECT cell, slot, sum(counted) AS n
        FROM (SELECT cityHash64(${by}) AS cell, slots, times FROM (SELECT metric${columns}, ${COUNTS_OF_ROLLUP} ${rows}))
        ARRAY JOIN slots AS slot, times AS counted GROUP BY cell, slot
      ) GROUP BY cell
    ) AS sketch USING cell`;
}

const SUMS_OF_ROLLUP = `arraySum(times) AS n, toInt64(n * least + excess) AS total, least, least + spread AS most,
    toInt128(n) * least * least + 2 * toInt128(least) * excess + squares AS squares`;
const COUNTS_OF_ROLLUP = `arrayCumSum(arrayPushFront(arrayPopFront(steps), ${signedBucket('least')})) AS slots, times`;

/** Sketches of samples: one pass over their values, again with a number for the columns. */
function sketchesOfSamples(metrics: readonly TimeMetric[], { by, names, columns, inside }: Source): string {
  const cells = `SELECT cityHash64(0${names}) AS cell`;
  const rows = `FROM (SELECT 0 AS nothing${columns} FROM sample WHERE ${inside})`;
  const values = valuesOf(metrics, { names: ', cell', columns: `, cityHash64(0${columns}) AS cell`, inside });
  return `SELECT ${by}, n, total, least, most, squares, slots, times FROM (
      SELECT metric, cell, sum(each) AS n, sum(part) AS total, min(low) AS least, max(high) AS most, sum(power) AS squares,
        groupArray(slot) AS slots, groupArray(each) AS times
      FROM (
        SELECT metric, cell, ${signedBucket('value')} AS slot, count() AS each, sum(value) AS part, min(value) AS low,
          max(value) AS high, sum(toInt128(value) * value) AS power
        FROM (${values}) GROUP BY metric, cell, slot
      ) GROUP BY metric, cell
    ) AS sketch INNER JOIN (SELECT DISTINCT * FROM (${cells}${names} ${rows})) AS named USING cell`;
}

/** A row per value. */
function valuesOf(metrics: readonly TimeMetric[], { names, columns, inside }: Omit<Source, 'by'>): string {
  return `SELECT toUInt8(which) AS metric${names}, assumeNotNull(held) AS value
    FROM (SELECT [${metrics.map((name) => METRIC[name]).join(', ')}] AS known${columns} FROM sample WHERE ${inside})
    ARRAY JOIN ${numbersOf(metrics)} AS which, known AS held WHERE isNotNull(held)`;
}

function numbersOf(metrics: readonly TimeMetric[]): string {
  return `[${metrics.map((name) => TIME_METRICS[name]).join(', ')}]`;
}

/** The sources of a range: rollups for its whole buckets, samples for the rest. */
export interface RangeParts {
  readonly segments: readonly Segment[];
  readonly samples: readonly TimeRange[];
}

/** Adjacent buckets of one resolution are one test. */
function bucketsIn(segments: readonly Segment[]): Bound {
  const runs: { resolution: Segment['resolution']; first: number; end: number }[] = [];
  for (const { resolution, bucket } of segments) {
    const last = runs.at(-1);
    if (last?.resolution === resolution && last.end === bucket) last.end++;
    else runs.push({ resolution, first: bucket, end: bucket + 1 });
  }
  const params: Record<string, number> = {};
  const tests = runs.map(({ resolution, first, end }, index) => {
    params[`first${index}`] = first;
    params[`end${index}`] = end;
    const own = `bucket >= {first${index}:UInt32} AND bucket < {end${index}:UInt32}`;
    return `(resolution = ${RESOLUTIONS[resolution]} AND ${own})`;
  });
  return {
    sql: `(${tests.join(' OR ')}) AND (resolution, bucket, generation) IN (${CURRENT})`,
    params,
  };
}

/** A rollup is written whole under a new generation, which counts once the table of buckets names it. */
const CURRENT = 'SELECT resolution, bucket, max(generation) FROM bucket GROUP BY resolution, bucket';

/** The first moment of a bucket, epoch ms. */
const BUCKET_START = `multiIf(resolution = ${RESOLUTIONS.hour}, toInt64(bucket) * ${HOUR_MS},
    resolution = ${RESOLUTIONS.day}, toInt64(bucket) * ${DAY_MS},
    toInt64(toUnixTimestamp(makeDateTime(intDiv(bucket, 12), bucket % 12 + 1, 1, 0, 0, 0, 'UTC'))) * 1000)`;

/** A column of an answer that has several steps. */
interface StepColumn {
  /** After a comma, to follow other columns. */
  readonly name: string;
  readonly ofRollup: string;
  readonly ofSample: string;
  readonly params: Bound['params'];
}

/** @param starts of steps, ascending epoch ms, of which the column has the one before a moment; null for no such column */
function stepColumn(starts: readonly number[] | null): StepColumn {
  if (starts === null) return { name: '', ofRollup: '', ofSample: '', params: {} };
  const startOf = (moment: string) => `, roundDown(${moment}, {steps:Array(Int64)}) AS step`;
  return { name: ', step', ofRollup: startOf(BUCKET_START), ofSample: startOf('at'), params: { steps: starts } };
}

/** What a statement reads. */
export interface Asked {
  readonly parts: RangeParts;
  readonly selection: CellSelection;
  /** Where steps begin, ascending epoch ms: rows of an answer are of one each. Null for one answer to all of it. */
  readonly steps: readonly number[] | null;
}

/** Where rows come from. */
interface Source {
  /** All columns that tell rows apart. */
  readonly by: string;
  /** Dimensions and the step among them, each after a comma. */
  readonly names: string;
  /** The same as they are computed. */
  readonly columns: string;
  /** Which rows. */
  readonly inside: string;
}

/** Rows of rollups and of samples together: a cell may have one of each. */
interface Rows extends Bound, Pick<Source, 'by' | 'names'> {}

/** @param first a column before the dimensions */
function together(
  { parts: { segments, samples }, selection, steps }: Asked,
  first: string,
  ofRollups: (source: Source) => string,
  ofSamples: (source: Source) => string,
): Rows {
  const dimensions = toDimensions(selection);
  const step = stepColumn(steps);
  const names = `${step.name}${joinNames(dimensions)}`;
  const by = `${first}${names}`;
  const [rolled, single] = [bucketsIn(segments), withinRanges(samples)];
  const [cells, cellsOfSamples] = [isSelected(selection, ofRollup), isSelected(selection, ofSample)];
  const rollups = () =>
    ofRollups({
      by,
      names,
      columns: `${step.ofRollup}${joinNames(dimensions)}`,
      inside: `${rolled.sql} AND ${cells.sql}`,
    });
  const rows = () =>
    ofSamples({
      by,
      names,
      columns: `${step.ofSample}${fromSample(dimensions)}`,
      inside: `(${single.sql}) AND ${cellsOfSamples.sql}`,
    });
  return {
    by,
    names,
    sql: [
      ...(segments.length === 0 ? [] : [rollups()]),
      ...(samples.length === 0 && segments.length > 0 ? [] : [rows()]),
    ].join(' UNION ALL '),
    params: { ...cells.params, ...step.params, ...(segments.length === 0 ? {} : rolled.params), ...single.params },
  };
}

/** By metric, step and cell: sums of values, and buckets of sketches. */
function sketchRows(metrics: readonly TimeMetric[], asked: Asked): Rows {
  return together(
    asked,
    'metric',
    (source) => sketchesOfRollups(metrics, source),
    (source) => sketchesOfSamples(metrics, source),
  );
}

function counterRows(asked: Asked): Rows {
  return together(
    asked,
    'counters',
    ({ columns, inside }) => `SELECT counters${columns}, n FROM rollup_count WHERE ${inside}`,
    ({ columns, inside }) => `SELECT counters${columns}, toUInt64(1) AS n FROM sample WHERE ${inside}`,
  );
}

function clientRows(asked: Asked): Rows {
  return together(
    asked,
    'client',
    // Each list of a group only once: most browsers are in many of its rollups.
    ({ names, columns, inside }) => `SELECT arrayJoin(own) AS client${names} FROM (
      SELECT groupUniqArrayArray(clients) AS own${columns} FROM rollup_client WHERE ${inside}
      ${names === '' ? '' : `GROUP BY ${names.slice(2)}`}
    )`,
    ({ columns, inside }) => `SELECT cityHash64(sample.client) AS client${columns} FROM sample WHERE ${inside}`,
  );
}

/** Sketches by metric and cell, of which a cell may have two. */
export function sketchesIn(metrics: readonly TimeMetric[], asked: Asked): Bound {
  const { by, sql, params } = sketchRows(metrics, asked);
  return {
    sql: `SELECT ${by}, n, total, least, most, slots, times,
      toUInt64(intDiv(squares, ${2 ** 52})) AS squaresHigh, toUInt64(squares % ${2 ** 52}) AS squaresLow
    FROM (${sql})`,
    params,
  };
}

/** How many values of a metric each cell has. */
export function numbersIn(metric: TimeMetric, asked: Asked): Bound {
  const { by, sql, params } = together(
    asked,
    'metric',
    ({ columns, inside }) =>
      `SELECT metric${columns}, arraySum(times) AS n FROM rollup_value WHERE metric IN ${numbersOf([metric])} AND ${inside}`,
    (source) => `SELECT ${source.by}, toUInt64(1) AS n FROM (${valuesOf([metric], source)})`,
  );
  return { sql: `SELECT ${by}, sum(n) AS n FROM (${sql}) GROUP BY ${by}`, params };
}

/** Every value of one metric, by cell, from samples: ascending, each once, with how often it occurs. */
export function valuesOfSamples(metric: TimeMetric, asked: Asked): Bound {
  const { by, sql, params } = together(
    { ...asked, parts: { ...asked.parts, segments: [] } },
    'metric',
    () => '',
    (source) => valuesOf([metric], source),
  );
  return {
    sql: `SELECT ${by}, groupArray(value) AS list, groupArray(n) AS times FROM (
      SELECT ${by}, value, toUInt32(count()) AS n FROM (${sql}) GROUP BY ${by}, value ORDER BY value
    ) GROUP BY ${by}`,
    params,
  };
}

export function countersIn(asked: Asked): Bound {
  const { by, sql, params } = counterRows(asked);
  return { sql: `SELECT ${by}, sum(n) AS n FROM (${sql}) GROUP BY ${by}`, params };
}

/** Browsers by their numbers, which are text here: they have 64 bits. */
export function clientsIn(asked: Asked): Bound {
  const { by, names, sql, params } = clientRows(asked);
  return {
    sql: `SELECT toLowCardinality(toString(client)) AS number, 1 AS n${names}
    FROM (SELECT DISTINCT ${by} FROM (${sql}))`,
    params,
  };
}

/** The ids of browsers whose samples are kept, by their numbers. */
export const NUMBERED_CLIENTS = 'SELECT DISTINCT toString(number) AS number, client FROM client';

/** Columns of the table of rollups, from those of `sketchesBy`: relative to the least value, because most are then small. */
const STORED = `least, toUInt64(most - least) AS spread, toUInt64(total - toInt64(n) * least) AS excess,
    toUInt128(squares - 2 * toInt128(least) * total + toInt128(n) * least * least) AS squares,
    arrayDifference(arraySort(slots)), arraySort((counted, slot) -> slot, times, slots)`;

const ALL_CELLS: CellSelection = { dimensions: CELL_DIMENSIONS, filters: [], imported: true };

/** Statements that write rollups of some buckets under a generation. @param parts all that is in those buckets */
export function writeBuckets(
  resolution: Segment['resolution'],
  buckets: readonly number[],
  parts: RangeParts,
  generation: string,
): readonly Bound[] {
  const asked: Asked = { parts, selection: ALL_CELLS, steps: buckets.map((bucket) => bucketStart(resolution, bucket)) };
  const bucket = 'transform(step, {steps:Array(Int64)}, {buckets:Array(UInt32)}, toUInt32(0))';
  const key = `${RESOLUTIONS[resolution]} AS resolution, ${bucket} AS bucket, ${generation} AS generation`;
  const [values, counts, clients] = [sketchRows(TIME_METRIC_NAMES, asked), counterRows(asked), clientRows(asked)];
  return [
    {
      sql: `INSERT INTO rollup_value SELECT ${key}, metric${CELL}, ${STORED} FROM (${values.sql})`,
      params: values.params,
    },
    {
      sql: `INSERT INTO rollup_count SELECT ${key}${CELL}, counters, sum(n) AS n FROM (${counts.sql}) GROUP BY ${counts.by}`,
      params: counts.params,
    },
    {
      sql: `INSERT INTO rollup_client SELECT ${key}${CELL}, arraySort(groupUniqArray(client)) AS clients
        FROM (${clients.sql}) GROUP BY step${CELL}`,
      params: clients.params,
    },
  ].map(({ sql, params }) => ({ sql, params: { ...params, buckets } }));
}

/** One mixing round, as in row-digest.ts. Multiplications wrap, shifts don't. */
const rotated = (value: string, bits: number) =>
  `toUInt32(bitOr(toUInt32(bitShiftLeft(${value}, ${bits})), bitShiftRight(${value}, ${32 - bits})))`;
const product = (value: string, factor: number) => `toUInt32(toUInt64(${value}) * ${factor})`;

/** The number of samples and the sums of their hashes, by hour. */
export function digestsOfSamples({ sql, params }: Bound): Bound {
  return {
    sql: `WITH
      ${product('toUInt32(ifNull(transferSize, -1))', 0xcc9e2d51)} AS scrambled,
      bitXor(${product('hash', 0x2c1b3c6d)}, ${product(rotated('scrambled', 15), 0x1b873593)}) AS mixed,
      toUInt32(toUInt64(${rotated('mixed', 13)}) * 5 + ${0xe6546b64}) AS second
    SELECT ${HOUR} AS hour, count() AS n, toUInt32(sum(hash)) AS a, toUInt32(sum(second)) AS b
    FROM sample WHERE ${sql} GROUP BY hour ORDER BY hour`,
    params,
  };
}

export function rowsOfSamples(columns: readonly TableColumn[], { sql, params }: Bound): Bound {
  return { sql: `SELECT ${quotedNames(columns)} FROM sample WHERE ${sql}`, params };
}
