import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { pickRows } from './pick-rows.ts';

/** The columns that somebody reads: each of the others would have to be decoded for nothing. */
export interface ColumnNames {
  readonly texts: readonly TextName[];
  readonly numbers: readonly NumberName[];
}

/**
 * The same as `pickRows`, but all at once: nothing of what it was taken from is held any longer. Beside `at` and the
 * origins only the named columns are there; asking for another one throws a RangeError.
 */
export function copyRows(columns: SampleColumns, rows: Int32Array, { texts, numbers }: ColumnNames): SampleColumns {
  const picked = pickRows(columns, rows);
  return fixedColumns({
    n: picked.n,
    origins: picked.origins,
    at: picked.at(),
    origin: picked.origin(),
    texts: new Map(texts.map((name) => [name, picked.text(name)])),
    numbers: new Map(numbers.map((name) => [name, picked.number(name)])),
  });
}

interface Fixed extends Pick<SampleColumns, 'n' | 'origins'> {
  readonly at: Float64Array;
  readonly origin: Int32Array;
  readonly texts: ReadonlyMap<TextName, TextColumn>;
  readonly numbers: ReadonlyMap<NumberName, Float64Array>;
}

/** A function of its own: what is in one scope with a function that lives on lives on as well. */
function fixedColumns({ at, origin, texts, numbers, ...rest }: Fixed): SampleColumns {
  return {
    ...rest,
    at: () => at,
    origin: () => origin,
    text: (name) => copied(texts, name),
    number: (name) => copied(numbers, name),
    metricNames: [],
    metric: (name) => copied(new Map<string, Float64Array>(), name),
  };
}

function copied<K extends string, T>(columns: ReadonlyMap<K, T>, name: K): T {
  const found = columns.get(name);
  if (found === undefined) throw new RangeError(`The column ${name} was not copied.`);
  return found;
}
