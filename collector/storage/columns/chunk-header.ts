import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { StoredClientInfo } from '../../../shared/sample/sample.ts';
import type { TextName } from '../../../shared/sample/sample-columns.ts';

/** First byte of a chunk. Old formats stay readable forever; only the newest is written. */
const FORMAT = 2;
/** Format, flags, length of the header. */
const PRELUDE_BYTES = 6;
const FLAG_DEFLATED = 1;

/** All of a chunk but its numbers, as JSON, so that another program can read chunks with nothing but this file. */
export interface ChunkHeader {
  readonly n: number;
  /** First and last `at`. */
  readonly t0: number;
  readonly t1: number;
  readonly origins: readonly StoredClientInfo[];
  readonly texts: Readonly<Partial<Record<TextName, readonly string[]>>>;
  /** Whether columns that follow from others hold only the difference: see column-coding.ts. */
  readonly predicted: boolean;
  readonly columns: readonly StoredColumn[];
}

/**
 * One column, in the order of the bytes after the header: name, bytes per value, stored bytes, deflated or not. Width 0 is a
 * column of equal values, given as the last member; metrics (`metric:NAME`) are doubles.
 */
export type StoredColumn = readonly [name: string, width: number, bytes: number, deflated: 0 | 1, constant?: number];

export function joinChunk(header: ChunkHeader, columns: readonly Uint8Array[], deflated: boolean): Uint8Array {
  const text = Buffer.from(JSON.stringify(header));
  const head = deflated ? deflateRawSync(text) : text;
  const prelude = Buffer.alloc(PRELUDE_BYTES);
  prelude[0] = FORMAT;
  prelude[1] = deflated ? FLAG_DEFLATED : 0;
  prelude.writeUInt32LE(head.length, 2);
  return Buffer.concat([prelude, head, ...columns]);
}

/** @throws RangeError or SyntaxError for anything `joinChunk` didn't write */
export function splitChunk(chunk: Uint8Array): { header: ChunkHeader; body: Uint8Array } {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (bytes[0] !== FORMAT) throw new RangeError(`chunk format ${bytes[0]}`);
  const end = PRELUDE_BYTES + bytes.readUInt32LE(2);
  if (end > bytes.length) throw new RangeError('a chunk that ends inside its header');
  const head = bytes.subarray(PRELUDE_BYTES, end);
  const text = bytes[1] === FLAG_DEFLATED ? inflateRawSync(head) : head;
  return { header: JSON.parse(text.toString()) as ChunkHeader, body: bytes.subarray(end) };
}
