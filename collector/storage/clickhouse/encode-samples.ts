import { NULL, NUMBER_NAMES, type SampleColumns, TEXT_NAMES } from '../../../shared/sample/sample-columns.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';
import { pickCodes } from '../../reductions/combine-codes.ts';
import type { BufferPool } from '../columns/buffer-pool.ts';
import type { ByteWriter } from '../columns/bytes.ts';
import { predict } from '../columns/column-coding.ts';
import { stringDictionary } from '../columns/dictionary-builder.ts';
import { either, where } from '../rollups/metric-columns.ts';
import { countRows } from '../rollups/row-counters.ts';
import { type RowMetrics, rowMetrics } from '../rollups/time-metrics.ts';
import { NativeWriter } from './native-writer.ts';
import { FLAGS, ORIGIN_COLUMNS, restColumn, STORED_COLUMNS, textType } from './sample-table.ts';

/**
 * Samples as the data of an INSERT into the table of samples. The same samples always give the same bytes.
 *
 * @param hashes the first hash of each row
 * @param pool for intermediate columns
 * @param out receives the data, in the place of what it had
 */
export function encodeSamples(
  columns: SampleColumns,
  hashes: Int32Array,
  pool: BufferPool,
  out: ByteWriter,
): Uint8Array {
  const writer = new NativeWriter(STORED_COLUMNS.length, columns.n, out);
  writer.int64('at', columns.at());
  writeOrigins(columns, writer, pool);
  for (const name of TEXT_NAMES) {
    if (textType(name) === 'text') writer.text(name, columns.text(name));
    else writer.optionalText(name, columns.text(name));
  }
  for (const name of NUMBER_NAMES) {
    const values = columns.number(name);
    const predicted = predict(name, columns.n, (source) => columns.number(source), pool);
    if (predicted === null) writer.optionalInt64(name, values, NULL);
    else writer.optionalInt64(restColumn(name), subtract(values, predicted), Number.NaN);
  }
  writer.namedNumbers(
    'metric',
    columns.metricNames.map((name) => [name, columns.metric(name)] as const),
  );
  writer.uint32('hash', hashes);
  const metrics = rowMetrics(columns, pool);
  const { codes, names } = countRows(columns, metrics, pool);
  writer.text('counters', { strings: names.map((own) => own.join(' ')), codes });
  writer.uint8('flags', flagsOf(columns, metrics));
  writer.optionalInt64('setup', metrics.values('setup'), Number.NaN);
  return writer.bytes();
}

function writeOrigins({ n, origins, origin }: SampleColumns, writer: NativeWriter, pool: BufferPool): void {
  const ofRows = (values: ArrayLike<number>) => pickCodes(values, origin(), pool.codes('column of origin', n));
  for (const { name, type } of ORIGIN_COLUMNS) {
    if (type === 'uint32') writer.uint32(name, ofRows(origins.map((own) => own[name])));
    else {
      const dictionary = stringDictionary();
      const codes = ofRows(dictionary.indicesOf(origins.map((own) => own[name] ?? '')));
      writer.text(name, { strings: dictionary.entries, codes });
    }
  }
}

/** In the place of what was predicted; NaN where there is no value. */
function subtract(values: Float64Array, predicted: Float64Array): Float64Array {
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    predicted[row] = value === NULL ? Number.NaN : value - (predicted[row] as number);
  }
  return predicted;
}

function flagsOf(columns: SampleColumns, metrics: RowMetrics): Uint8Array {
  const flags = new Uint8Array(columns.n);
  const whole = either(
    where(columns, 'protocol', (text) => isHttp3(text ?? '')),
    where(columns, 'responseMark', (text) => text === 'final_response_headers'),
  );
  const usable = metrics.usable();
  const trips = metrics.ownTrips();
  for (let row = 0; row < columns.n; row++) {
    let flag = 0;
    if (usable[row] === 1) flag = whole[row] === 1 ? FLAGS.usable | FLAGS.wholeWait : FLAGS.usable;
    flags[row] = Number.isNaN(trips[row]) ? flag : flag | FLAGS.roundTrip;
  }
  for (const row of metrics.rows('setup')) flags[row] = (flags[row] as number) | FLAGS.new;
  return flags;
}
