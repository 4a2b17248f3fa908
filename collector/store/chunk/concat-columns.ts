import type { BatchOrigin } from '../../../shared/sample/sample.ts';
import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { mergeEntries, translate } from './merge-columns.ts';
import { once, onceEach } from './once.ts';

/** All parts as one, in their order. Where the order of time does not matter this costs a copy and no more. */
export function concatColumns(parts: readonly SampleColumns[]): SampleColumns {
  const n = parts.reduce((sum, part) => sum + part.n, 0);

  function concat<T extends Float64Array | Int32Array>(into: T, read: (part: SampleColumns, index: number) => T): T {
    let start = 0;
    parts.forEach((part, index) => {
      into.set(read(part, index), start);
      start += part.n;
    });
    return into;
  }

  const origins = mergeEntries(
    parts.map((part) => part.origins),
    (origin: BatchOrigin) => JSON.stringify(origin),
  );
  return {
    n,
    at: once(() => concat(new Float64Array(n), (part) => part.at())),
    origins: origins.entries,
    origin: once(() =>
      concat(new Int32Array(n), (part, index) => translate(part.origin(), origins.places[index] ?? [])),
    ),
    text: onceEach((name: TextName): TextColumn => {
      const texts = parts.map((part) => part.text(name));
      const { entries, places } = mergeEntries(
        texts.map((text) => text.entries),
        (entry) => entry,
      );
      const codes = concat(new Int32Array(n), (part, index) => translate(part.text(name).codes, places[index] ?? []));
      return { entries, codes };
    }),
    number: onceEach((name: NumberName) => concat(new Float64Array(n), (part) => part.number(name))),
    metricNames: [...new Set(parts.flatMap((part) => part.metricNames))].sort(),
    metric: onceEach((name: string) => concat(new Float64Array(n), (part) => part.metric(name))),
  };
}
