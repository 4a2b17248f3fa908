import type { NumberName, SampleColumns, TextName } from '../../../shared/sample/sample-columns.ts';
import { once, onceEach } from './once.ts';

/** Some rows of columns, in their order; each column is copied when it is first asked for. */
export function pickRows(columns: SampleColumns, rows: Int32Array): SampleColumns {
  const wide = (source: Float64Array) => {
    const picked = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = source[rows[i] as number] as number;
    return picked;
  };
  const codes = (source: Int32Array) => {
    const picked = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = source[rows[i] as number] as number;
    return picked;
  };
  return {
    n: rows.length,
    at: once(() => wide(columns.at())),
    origins: columns.origins,
    origin: once(() => codes(columns.origin())),
    text: onceEach((name: TextName) => {
      const text = columns.text(name);
      return { entries: text.entries, codes: codes(text.codes) };
    }),
    number: onceEach((name: NumberName) => wide(columns.number(name))),
    metricNames: columns.metricNames,
    metric: onceEach((name: string) => wide(columns.metric(name))),
  };
}
