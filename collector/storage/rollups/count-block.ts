import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '../columns/bytes.ts';

/** First byte of a pack: the format of what stands in its cells. */
export type BlockFormat = 1 | 2 | 3;

/** Used again for every frame: there are thousands, and none is left half written. */
const whole = new ByteWriter();
const payload = new ByteWriter();

/**
 * All cells of one measure in one bucket of time, as one blob: format, number of cells, then each cell's id as the step
 * from the one before, the length of its payload, and the payload. A reader skips cells that it has no use for.
 */
export function encodeFrame<T>(
  format: BlockFormat,
  cells: Iterable<readonly [cell: number, content: T]>,
  write: (content: T, writer: ByteWriter) => void,
): Uint8Array {
  const ascending = [...cells].sort(([a], [b]) => a - b);
  whole.length = 0;
  whole.varint(format);
  whole.varint(ascending.length);
  let before = 0;
  for (const [cell, content] of ascending) {
    payload.length = 0;
    write(content, payload);
    whole.varint(cell - before);
    whole.varint(payload.length);
    whole.append(payload.view());
    before = cell;
  }
  return whole.view().slice();
}

/**
 * Calls `visit` for each cell that `wants` says yes to, with the reader at its payload and where that ends; it has to leave it there.
 * @throws RangeError for anything `encodeFrame` did not write
 */
export function visitFrame(
  block: Uint8Array,
  formats: readonly BlockFormat[],
  wants: (cell: number) => boolean,
  visit: (cell: number, reader: ByteReader, end: number) => void,
): void {
  const reader = new ByteReader(block);
  const format = reader.varint();
  if (!formats.includes(format as BlockFormat)) throw new RangeError(`pack format ${format}`);
  let cell = 0;
  for (let left = reader.varint(); left > 0; left--) {
    cell += reader.varint();
    const length = reader.varint();
    const end = reader.at + length;
    if (wants(cell)) visit(cell, reader, end);
    else reader.at = end;
    if (reader.at !== end) throw new RangeError(`The payload of cell ${cell} does not end where it should.`);
  }
  if (reader.at !== block.length) throw new RangeError('A pack goes on behind its last cell.');
}

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
