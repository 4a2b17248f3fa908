import type { NumberName, SampleColumns, TextColumn, TextName } from '../../../shared/sample/sample-columns.ts';
import { FRESH_BUFFERS } from './buffer-pool.ts';
import { openChunk } from './chunk-reader.ts';
import { once, onceEach } from './once.ts';

/**
 * The columns of a stored chunk. A column is decoded when it is first asked for, so a query for one phase of one host
 * touches a few of thirty.
 *
 * @param room where they are decoded to; valid until it is used again
 */
export function decodeChunk(chunk: Uint8Array, room = FRESH_BUFFERS): SampleColumns {
  const { reader, words } = openChunk(chunk);
  const { n, metricNames } = reader;
  const codes = (name: TextName | 'origin') => {
    const into = room.codes(name, n);
    reader.readCodes(name, into);
    return into;
  };
  const number = onceEach((name: NumberName): Float64Array => {
    const into = room.numbers(name, n);
    reader.readNumber(name, into, number, room);
    return into;
  });
  return {
    n,
    at: once(() => {
      const into = room.numbers('at', n);
      reader.readAt(into);
      return into;
    }),
    origins: words.origins,
    origin: once(() => codes('origin')),
    text: onceEach((name: TextName): TextColumn => ({ entries: words.texts[name] ?? [], codes: codes(name) })),
    number,
    metricNames,
    metric: onceEach((name: string) => reader.readMetric(name)),
  };
}
