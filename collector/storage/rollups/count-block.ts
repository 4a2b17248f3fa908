import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '../columns/bytes.ts';

/** First byte of a block: the format of its cells' payloads. */
export type BlockFormat = 1 | 2 | 3 | 4;

/** Reused for every frame: there are thousands, which are written one after the other. */
const whole = new ByteWriter();
const payload = new ByteWriter();

/**
 * All cells of one metric in one bucket of time as one blob: format, number of cells, then each cell's id as the step from
 * the previous one, the length of its payload, and the payload, so that a reader can skip cells.
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
 * Calls `visit` for each wanted cell with the reader at its payload and the payload's end, where `visit` has to leave it.
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
  if (!formats.includes(format as BlockFormat)) throw new RangeError(`block format ${format}`);
  let cell = 0;
  for (let left = reader.varint(); left > 0; left--) {
    cell += reader.varint();
    const length = reader.varint();
    const end = reader.at + length;
    if (wants(cell)) visit(cell, reader, end);
    else reader.at = end;
    if (reader.at !== end) throw new RangeError(`The payload of cell ${cell} does not end where it should.`);
  }
  if (reader.at !== block.length) throw new RangeError('A block continues after its last cell.');
}

/** Pairs of a counter's id and its count. */
const COUNTED = 3;
/** The data repeat from cell to cell, and size matters more than speed. */
const DEFLATE_LEVEL = 6;

/** Counts by the string id of the counter. */
type Counts = ReadonlyMap<number, number>;

/** Ids of one cell, reused to spare the garbage collector an array per cell. */
let ids = new Int32Array(64);

/** @param level 0 for a block that is read at once */
export function encodeCountBlock(
  cells: Iterable<readonly [cell: number, counts: Counts]>,
  level = DEFLATE_LEVEL,
): Uint8Array {
  return deflateRawSync(encodeFrame(COUNTED, cells, writeCounts), { level });
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
