import type { StoredClientInfo } from '../../../shared/sample/sample.ts';
import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { once, onceEach } from '../../lib/once.ts';
import { combineCodes, groupRows } from '../../reductions/combine-codes.ts';
import type { NativeBlock } from './native-reader.ts';
import type { FetchedColumns } from './needed-columns.ts';
import { ORIGIN_COLUMNS } from './sample-table.ts';

/** Rows of the table of samples as columns. */
export function decodeSamples(block: NativeBlock, { use }: Pick<FetchedColumns, 'use'>): SampleColumns {
  const { n } = block;
  const origins = once(() => originsOf(block, use));
  const metrics = once(() => {
    use('metric.name');
    use('metric.value');
    return metricsOf(block);
  });
  return {
    n,
    at: once(() => block.numbers('at')),
    get origins() {
      return origins().origins;
    },
    origin: () => origins().codes,
    text: onceEach((name: TextName) => {
      use(name);
      return block.text(name);
    }),
    number: onceEach((name: NumberName) => {
      use(name);
      return block.numbers(name);
    }),
    get metricNames() {
      return [...metrics().keys()];
    },
    metric: (name) => metrics().get(name) ?? new Float64Array(n).fill(Number.NaN),
  };
}

/** Samples that have the same in all columns of a batch that were fetched have one origin here. */
function originsOf(
  block: NativeBlock,
  use: (name: string) => void,
): { readonly origins: readonly StoredClientInfo[]; readonly codes: Int32Array } {
  const columns = ORIGIN_COLUMNS.filter(({ name }) => block.has(name)).map(({ name, type }) => ({
    name,
    ...(type === 'uint32' ? numberedValues(block.numbers(name)) : textValues(block.text(name))),
  }));
  const { codes, first } = groupRows(
    block.n,
    columns.map((column) => ({ codes: column.codes, size: column.values.length })),
  );
  const origins = first.map((row) =>
    lazyOrigin(
      new Map(columns.map(({ name, values, codes: ofRow }) => [name, values[ofRow[row] as number]] as const)),
      use,
    ),
  );
  return { origins, codes };
}

/** A separate function: a closure keeps its whole scope alive, and answers keep origins. */
function lazyOrigin(
  fetched: ReadonlyMap<string, string | number | undefined>,
  use: (name: string) => void,
): StoredClientInfo {
  const origin = {};
  for (const { name } of ORIGIN_COLUMNS) {
    const value = fetched.get(name);
    // A command has no key.
    const isAbsent = name === 'key' && value === '';
    const get = () => {
      use(name);
      return isAbsent ? undefined : value;
    };
    Object.defineProperty(origin, name, { get, enumerable: !isAbsent });
  }
  return origin as StoredClientInfo;
}

function numberedValues(numbers: Float64Array): { readonly codes: Int32Array; readonly values: readonly number[] } {
  const { codes, entries } = combineCodes(numbers);
  return { codes, values: entries };
}

function textValues({ strings, codes }: TextColumn): {
  readonly codes: Int32Array;
  readonly values: readonly string[];
} {
  return { codes, values: strings };
}

/** By name, in alphabetical order. */
function metricsOf(block: NativeBlock): ReadonlyMap<string, Float64Array> {
  const names = block.textLists('metric.name');
  const { values } = block.lists('metric.value');
  const found = new Map<string, Float64Array>();
  for (const name of [...new Set(names.values)].sort()) found.set(name, new Float64Array(block.n).fill(Number.NaN));
  for (let row = 0, at = 0; row < block.n; row++) {
    for (; at < (names.ends[row] as number); at++) {
      const column = found.get(names.values[at] as string) as Float64Array;
      column[row] = values[at] as number;
    }
  }
  return found;
}
