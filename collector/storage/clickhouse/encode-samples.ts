import {
  NULL,
  NUMBER_NAMES,
  type SampleColumns,
  TEXT_NAMES,
  type TextColumn,
} from '../../../shared/sample/sample-columns.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';
import { either, where } from '../rollups/metric-columns.ts';
import { countersOf } from '../rollups/row-counters.ts';
import { rowHashes } from '../rollups/row-digest.ts';
import { rowMetrics } from '../rollups/time-metrics.ts';
import { NativeWriter } from './native-writer.ts';
import { FLAGS, ORIGIN_COLUMNS, SAMPLE_COLUMNS, textType } from './sample-table.ts';

/** Samples as the data of an INSERT into the table of samples. The same samples always give the same bytes. */
export function encodeSamples(columns: SampleColumns): Uint8Array {
  const writer = new NativeWriter(SAMPLE_COLUMNS.length, columns.n);
  writer.int64('at', columns.at());
  for (const { name, type } of ORIGIN_COLUMNS) {
    if (type === 'uint32')
      writer.uint32(
        name,
        ofOrigins(columns, ({ clockStep }) => clockStep),
      );
    else
      writer.text(
        name,
        textOfOrigins(columns, (origin) => origin[name] ?? ''),
      );
  }
  for (const name of TEXT_NAMES) {
    if (textType(name) === 'text') writer.text(name, columns.text(name));
    else writer.optionalText(name, columns.text(name));
  }
  for (const name of NUMBER_NAMES) writer.optionalInt64(name, columns.number(name), NULL);
  writer.namedNumbers(
    'metric',
    columns.metricNames.map((name) => [name, columns.metric(name)] as const),
  );
  writeDerived(columns, writer);
  return writer.bytes();
}

function writeDerived(columns: SampleColumns, writer: NativeWriter): void {
  const metrics = rowMetrics(columns);
  const { codes, names } = countersOf(columns, metrics);
  writer.uint32('hash', rowHashes(columns).a);
  writer.text('counters', { strings: names.map((own) => own.join(' ')), codes });
  const flags = new Uint8Array(columns.n);
  const whole = either(
    where(columns, 'protocol', (text) => isHttp3(text ?? '')),
    where(columns, 'responseMark', (text) => text === 'final_response_headers'),
  );
  const usable = metrics.usable();
  const trips = metrics.ownTrips();
  for (let row = 0; row < columns.n; row++) {
    if (usable[row] === 1) flags[row] = FLAGS.usable | (whole[row] === 1 ? FLAGS.wholeWait : 0);
    if (!Number.isNaN(trips[row])) flags[row] = (flags[row] as number) | FLAGS.roundTrip;
  }
  for (const row of metrics.rows('setup')) flags[row] = (flags[row] as number) | FLAGS.new;
  writer.uint8('flags', flags);
  writer.optionalInt64('setup', metrics.values('setup'), NULL);
}

function ofOrigins(columns: SampleColumns, of: (origin: SampleColumns['origins'][number]) => number): Float64Array {
  const origin = columns.origin();
  const values = columns.origins.map(of);
  return Float64Array.from(origin, (index) => values[index] as number);
}

function textOfOrigins(columns: SampleColumns, of: (origin: SampleColumns['origins'][number]) => string): TextColumn {
  return { strings: columns.origins.map(of), codes: columns.origin() };
}
