import type { StoredClientInfo } from '../../../shared/sample/sample.ts';
import type { NumberName, SampleColumns, TextName } from '../../../shared/sample/sample-columns.ts';
import { once, onceEach } from '../../lib/once.ts';
import { codesOf, groupRows } from '../../reductions/combine-codes.ts';
import type { NativeBlock } from './native-reader.ts';
import { ALL_COLUMNS, type NeededColumns } from './needed-columns.ts';

/** Rows of the table of samples as columns. @param needed those that were fetched */
export function decodeSamples(block: NativeBlock, { use }: Pick<NeededColumns, 'use'> = ALL_COLUMNS): SampleColumns {
  const { n } = block;
  const { origins, codes } = originsOf(block);
  const metrics = once(() => {
    use('metric.name');
    use('metric.value');
    return metricsOf(block);
  });
  return {
    n,
    at: once(() => block.numbers('at')),
    origins,
    origin: () => codes,
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

function originsOf(block: NativeBlock): { origins: StoredClientInfo[]; codes: Int32Array } {
  const texts = (['client', 'site', 'browser', 'browserVersion', 'extensionVersion', 'key'] as const).map((name) => ({
    name,
    ...block.text(name),
  }));
  const clocks = codesOf(block.numbers('clockStep'));
  const { codes, first } = groupRows(block.n, [
    ...texts.map((column) => ({ codes: column.codes, size: column.strings.length })),
    { codes: clocks.codes, size: clocks.entries.length },
  ]);
  const origins = first.map((row): StoredClientInfo => {
    const of = Object.fromEntries(
      texts.map((column) => [column.name, column.strings[column.codes[row] as number] ?? '']),
    );
    const { key, ...info } = of as Record<'key', string> & Omit<StoredClientInfo, 'clockStep' | 'key'>;
    const clockStep = clocks.entries[clocks.codes[row] as number] as number;
    return { ...info, clockStep, ...(key === '' ? {} : { key }) };
  });
  return { origins, codes };
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
