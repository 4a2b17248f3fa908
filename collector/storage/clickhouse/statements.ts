import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { Segment } from '../passes/plan-range.ts';
import { CELL_DIMENSIONS } from '../rollups/cell-dimensions.ts';
import { RESOLUTIONS } from '../rollups/resolutions.ts';
import { TIME_METRIC_NAMES, TIME_METRICS, type TimeMetric } from '../rollups/time-metrics.ts';
import { FLAGS, quotedNames, SAMPLE_COLUMNS } from './sample-table.ts';

/** A statement and the values bound to it. */
export interface Bound {
  readonly sql: string;
  readonly params: Readonly<Record<string, number>>;
}

/** Whether `at` lies in one of these ranges. */
export function insideOf(ranges: readonly TimeRange[]): Bound {
  const params: Record<string, number> = {};
  const tests = ranges.map(({ from, to }, index) => {
    params[`from${index}`] = from;
    params[`to${index}`] = to;
    return `(at >= {from${index}:Int64} AND at < {to${index}:Int64})`;
  });
  return { sql: tests.length === 0 ? '0' : tests.join(' OR '), params };
}

/** The dimensions of cells, empty for none. */
const CELL = CELL_DIMENSIONS.map((name) => `\`${name}\``).join(', ');
const CELL_OF_SAMPLE = CELL_DIMENSIONS.map((name) => `ifNull(\`${name}\`, '') AS \`${name}\``).join(', ');

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

/** The bucket of a `size` of at least 0, as in sketch-buckets.ts: integers only, but for the logarithm of a power of two. */
const POWER = 'roundToExp2(greatest(size, 64))';
const BUCKET = `if(size < 64, size, 64 * (toUInt64(round(log2(${POWER}))) - 6) + intDiv(size, intDiv(${POWER}, 64)))`;
/** Squares need more bits than there are: they are summed in units of 1, 2²⁶ and 2⁵². */
const HALF = 2 ** 26;
const HIGH = `intDiv(size, ${HALF})`;
const LOW = `(size % ${HALF})`;

/** What a row of sums has: those of rollups, and those that are made of samples. */
const SUMS = 'n, total, least, most, squares0, squares1, squares2, slots, times';

/** One metric of samples, summed by cell, bucket of the sketch and hour. */
function sumsOfSamples(metric: TimeMetric, inside: string): string {
  return `SELECT ${CELL}, hour, count() AS n, sum(value) AS total, min(value) AS least, max(value) AS most,
      sum(${LOW} * ${LOW} % ${HALF}) AS squares0,
      sum(2 * ${HIGH} * ${LOW} + intDiv(${LOW} * ${LOW}, ${HALF})) AS squares1,
      sum(${HIGH} * ${HIGH}) AS squares2,
      [toInt16(if(value < 0, -1 - toInt64(slot), toInt64(slot))) AS signed] AS slots, [n] AS times
    FROM (
      SELECT ${CELL}, hour, value, toUInt64(abs(value)) AS size, ${BUCKET} AS slot
      FROM (
        SELECT ${CELL_OF_SAMPLE}, ${HOUR} AS hour, assumeNotNull(${METRIC[metric]}) AS value
        FROM sample WHERE (${inside}) AND isNotNull(${METRIC[metric]})
      )
    ) GROUP BY ${CELL}, hour, signed`;
}

/** Sums of sums. */
const SUMMED = `sum(n) AS n, sum(total) AS total, min(least) AS least, max(most) AS most,
      sum(squares0) AS squares0, sum(squares1) AS squares1, sum(squares2) AS squares2,
      (sumMap(slots, times) AS summed).1 AS buckets, summed.2 AS counts`;

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

/** Rows of rollups and of samples together. @param ofRollups takes the test for its rows, ofSamples too */
function together(
  { segments, samples }: RangeParts,
  ofRollups: (inside: string) => string,
  ofSamples: (inside: string) => string,
): Bound {
  const [rolled, single] = [bucketsIn(segments), insideOf(samples)];
  const parts = [
    ...(segments.length === 0 ? [] : [ofRollups(rolled.sql)]),
    ...(samples.length === 0 && segments.length > 0 ? [] : [ofSamples(single.sql)]),
  ];
  return {
    sql: parts.join(' UNION ALL '),
    params: { ...(segments.length === 0 ? {} : rolled.params), ...single.params },
  };
}

/** One row per cell: its values of one metric as a sketch. */
export function sketchesIn(metric: TimeMetric, parts: RangeParts): Bound {
  const { sql, params } = together(
    parts,
    (inside) => `SELECT ${CELL}, ${SUMS} FROM rollup_value WHERE metric = ${TIME_METRICS[metric]} AND ${inside}`,
    (inside) => `SELECT ${CELL}, ${SUMS} FROM (${sumsOfSamples(metric, inside)})`,
  );
  const carried = `squares0 + squares1 % ${HALF} * ${HALF}`;
  return {
    sql: `SELECT ${CELL}, n, total, least, most, buckets, counts,
      squares2 + intDiv(squares1, ${HALF}) + intDiv(${carried}, ${2 ** 52}) AS squaresHigh,
      (${carried}) % ${2 ** 52} AS squaresLow
    FROM (SELECT ${CELL}, ${SUMMED} FROM (${sql}) GROUP BY ${CELL})`,
    params,
  };
}

/** Every value of one metric, by cell. */
export function valuesOfSamples(metric: TimeMetric, { sql, params }: Bound): Bound {
  return {
    sql: `SELECT ${CELL}, groupArray(value) AS list FROM (
      SELECT ${CELL_OF_SAMPLE}, assumeNotNull(${METRIC[metric]}) AS value
      FROM sample WHERE (${sql}) AND isNotNull(${METRIC[metric]})
    ) GROUP BY ${CELL}`,
    params,
  };
}

export function countersIn(parts: RangeParts): Bound {
  const { sql, params } = together(
    parts,
    (inside) => `SELECT ${CELL}, counters, n FROM rollup_count WHERE ${inside}`,
    (inside) => `SELECT ${CELL_OF_SAMPLE}, counters, toUInt64(1) AS n FROM sample WHERE ${inside}`,
  );
  return { sql: `SELECT ${CELL}, counters, sum(n) AS n FROM (${sql}) GROUP BY ${CELL}, counters`, params };
}

/** Browsers by their numbers, which are text here: they have 64 bits. */
export function clientsIn(parts: RangeParts): Bound {
  const { sql, params } = together(
    parts,
    (inside) => `SELECT ${CELL}, client, n FROM rollup_client WHERE ${inside}`,
    (inside) => `SELECT ${CELL_OF_SAMPLE}, ${CLIENT_NUMBER} AS client, toUInt64(1) AS n FROM sample WHERE ${inside}`,
  );
  return {
    sql: `SELECT ${CELL}, toLowCardinality(toString(client)) AS number, sum(n) AS n
    FROM (${sql}) GROUP BY ${CELL}, client`,
    params,
  };
}

const CLIENT_NUMBER = 'cityHash64(sample.client)';

/** The ids of browsers whose samples are kept, by their numbers. */
export const NUMBERED_CLIENTS = 'SELECT DISTINCT toString(number) AS number, client FROM client';

/** Statements that write the rollups of some hours, from samples, under a generation. */
export function writeHours(inside: string, generation: string): readonly string[] {
  const key = `${RESOLUTIONS.hour} AS resolution, hour AS bucket, ${generation} AS generation`;
  return [
    ...TIME_METRIC_NAMES.map(
      (name) => `INSERT INTO rollup_value SELECT ${key}, ${TIME_METRICS[name]} AS metric, ${CELL}, ${SUMMED}
        FROM (${sumsOfSamples(name, inside)}) GROUP BY hour, ${CELL}`,
    ),
    `INSERT INTO rollup_count SELECT ${key}, ${CELL}, counters, count() AS n FROM (
      SELECT ${HOUR} AS hour, ${CELL_OF_SAMPLE}, counters FROM sample WHERE ${inside}
    ) GROUP BY hour, ${CELL}, counters`,
    `INSERT INTO rollup_client SELECT ${key}, ${CELL}, client, count() AS n FROM (
      SELECT ${HOUR} AS hour, ${CELL_OF_SAMPLE}, ${CLIENT_NUMBER} AS client FROM sample WHERE ${inside}
    ) GROUP BY hour, ${CELL}, client`,
  ];
}

/** Statements that write the rollup of a day from its hours, or of a month from its days. */
export function writeCoarser(
  { resolution, bucket }: Segment,
  finer: readonly Segment[],
  generation: string,
): readonly Bound[] {
  const key = `${RESOLUTIONS[resolution]} AS resolution, toUInt32(${bucket}) AS bucket, ${generation} AS generation`;
  const { sql: inside, params } = bucketsIn(finer);
  return [
    `INSERT INTO rollup_value SELECT ${key}, metric, ${CELL}, ${SUMMED} FROM (
      SELECT metric, ${CELL}, ${SUMS} FROM rollup_value WHERE ${inside}
    ) GROUP BY metric, ${CELL}`,
    `INSERT INTO rollup_count SELECT ${key}, ${CELL}, counters, sum(n) AS n FROM (
      SELECT ${CELL}, counters, n FROM rollup_count WHERE ${inside}
    ) GROUP BY ${CELL}, counters`,
    `INSERT INTO rollup_client SELECT ${key}, ${CELL}, client, sum(n) AS n FROM (
      SELECT ${CELL}, client, n FROM rollup_client WHERE ${inside}
    ) GROUP BY ${CELL}, client`,
  ].map((sql) => ({ sql, params }));
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

export function rowsOfSamples({ sql, params }: Bound): Bound {
  return { sql: `SELECT ${quotedNames(SAMPLE_COLUMNS)} FROM sample WHERE ${sql}`, params };
}
