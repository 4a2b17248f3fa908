import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

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
