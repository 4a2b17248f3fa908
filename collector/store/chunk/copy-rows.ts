import {
  NUMBER_NAMES,
  type NumberName,
  type SampleColumns,
  TEXT_NAMES,
  type TextColumn,
  type TextName,
} from '../../../shared/sample/sample-columns.ts';
import { pickRows } from './pick-rows.ts';

/** The same as `pickRows`, but all at once: nothing of what it was taken from is held any longer. */
export function copyRows(columns: SampleColumns, rows: Int32Array): SampleColumns {
  const picked = pickRows(columns, rows);
  return fixedColumns({
    n: picked.n,
    origins: picked.origins,
    metricNames: picked.metricNames,
    at: picked.at(),
    origin: picked.origin(),
    texts: new Map(TEXT_NAMES.map((name) => [name, picked.text(name)])),
    numbers: new Map(NUMBER_NAMES.map((name) => [name, picked.number(name)])),
    metrics: new Map(picked.metricNames.map((name) => [name, picked.metric(name)])),
  });
}

interface Fixed extends Pick<SampleColumns, 'n' | 'origins' | 'metricNames'> {
  readonly at: Float64Array;
  readonly origin: Int32Array;
  readonly texts: ReadonlyMap<TextName, TextColumn>;
  readonly numbers: ReadonlyMap<NumberName, Float64Array>;
  readonly metrics: ReadonlyMap<string, Float64Array>;
}

/** A function of its own: what is in one scope with a function that lives on lives on as well. */
function fixedColumns({ at, origin, texts, numbers, metrics, ...rest }: Fixed): SampleColumns {
  return {
    ...rest,
    at: () => at,
    origin: () => origin,
    text: (name) => texts.get(name) as TextColumn,
    number: (name) => numbers.get(name) as Float64Array,
    metric: (name) => metrics.get(name) ?? new Float64Array(rest.n).fill(Number.NaN),
  };
}
