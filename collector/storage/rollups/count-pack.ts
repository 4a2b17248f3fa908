import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ByteWriter } from './byte-writer.ts';
import { encodeFrame, visitFrame } from './pack-frame.ts';

/** Pairs of a counter's id and its count. */
const COUNTED = 3;
/** The last byte of a level: the data repeat themselves from cell to cell, and speed matters less than room. */
const DEFLATE_LEVEL = 6;

/** How often each counter was raised, by the counter's id of the dictionary. */
type Counts = ReadonlyMap<number, number>;

/** Ids of one cell, used again for every cell: an array and a view of it for each of thousands is much to collect. */
let ids = new Int32Array(64);

export function encodeCountBlock(cells: Iterable<readonly [cell: number, counts: Counts]>): Uint8Array {
  return deflateRawSync(encodeFrame(COUNTED, cells, writeCounts), { level: DEFLATE_LEVEL });
}

function writeCounts(counts: Counts, writer: ByteWriter): void {
  if (ids.length < counts.size) ids = new Int32Array(2 * counts.size);
  let n = 0;
  for (const id of counts.keys()) ids[n++] = id;
  writer.varint(n);
  let before = 0;
  for (const id of ids.subarray(0, n).sort()) {
    writer.varint(id - before);
    writer.varint(counts.get(id) ?? 0);
    before = id;
  }
}

/** Calls `add` for every counter of every wanted cell. */
export function visitCountBlock(
  block: Uint8Array,
  wants: (cell: number) => boolean,
  add: (cell: number, counter: number, count: number) => void,
): void {
  visitFrame(inflateRawSync(block), [COUNTED], wants, (cell, reader) => {
    let counter = 0;
    for (let left = reader.varint(); left > 0; left--) {
      counter += reader.varint();
      add(cell, counter, reader.varint());
    }
  });
}
