import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ByteWriter } from './byte-writer.ts';
import { encodeFrame, visitFrame } from './pack-frame.ts';

/** Pairs of a counter's id and its count. */
const COUNTED = 3;
/** The last byte of a level: the data repeat themselves from cell to cell, and speed matters less than room. */
const DEFLATE_LEVEL = 6;

/** How often each counter was raised; ids are those of the dictionary, ascending. */
export interface CountList {
  readonly ids: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

export function encodeCountPack(cells: Iterable<readonly [number, CountList]>): Uint8Array {
  return deflateRawSync(encodeFrame(COUNTED, cells, writeCounts), { level: DEFLATE_LEVEL });
}

function writeCounts({ ids, counts }: CountList, writer: ByteWriter): void {
  writer.varint(ids.length);
  let before = 0;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    writer.varint(id - before);
    writer.varint(counts[i] as number);
    before = id;
  }
}

/** Calls `add` for every counter of every wanted cell. */
export function visitCountPack(
  pack: Uint8Array,
  wants: (cell: number) => boolean,
  add: (cell: number, counter: number, count: number) => void,
): void {
  visitFrame(inflateRawSync(pack), [COUNTED], wants, (cell, reader) => {
    let counter = 0;
    for (let left = reader.varint(); left > 0; left--) {
      counter += reader.varint();
      add(cell, counter, reader.varint());
    }
  });
}
