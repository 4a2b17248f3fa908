import { NULL, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { ByteWriter } from '../columns/bytes.ts';

const WORD = 2 ** 32;
/** The dictionary follows, and replaces the one before. */
const OWN_DICTIONARY = 0x600;
const DICTIONARY_VERSION = 1;
/** The first entry of a dictionary stands for none. */
const RESERVED = 1;
/** Reused for every column: fresh ones would be most of the garbage collector's work. */
let scratch = new ArrayBuffer(0);

/**
 * One block of columns in ClickHouse's Native format, in which a block is sent without being parsed:
 * https://clickhouse.com/docs/interfaces/formats/Native. The same columns always give the same bytes.
 */
export class NativeWriter {
  private readonly out: ByteWriter;
  private readonly rows: number;

  /** @param out what it had before is overwritten */
  constructor(columns: number, rows: number, out = new ByteWriter()) {
    this.out = out;
    this.out.length = 0;
    this.rows = rows;
    this.out.varint(columns);
    this.out.varint(rows);
  }

  /** LowCardinality(String); a row without a string gets the empty one. */
  text(name: string, column: TextColumn): void {
    this.head(name, 'LowCardinality(String)');
    this.dictionary(column);
  }

  /** LowCardinality(Nullable(String)). */
  optionalText(name: string, column: TextColumn): void {
    this.head(name, 'LowCardinality(Nullable(String))');
    this.dictionary(column);
  }

  /** Int64 of whole numbers. */
  int64(name: string, values: Float64Array): void {
    this.head(name, 'Int64');
    this.wide(values);
  }

  /** Nullable(Int64) of whole numbers. @param none marks a row without a value, as NaN does */
  optionalInt64(name: string, values: Float64Array, none: number): void {
    this.head(name, 'Nullable(Int64)');
    const words = new Uint32Array(scratchOf(8 * this.rows), 0, 2 * this.rows);
    fillOptional(values, none, this.out.reserve(this.rows), words);
    this.out.append(bytesOf(words));
  }

  uint32(name: string, values: Int32Array | Uint32Array): void {
    this.head(name, 'UInt32');
    this.out.append(bytesOf(values));
  }

  uint8(name: string, values: Uint8Array): void {
    this.head(name, 'UInt8');
    this.out.append(values);
  }

  /** Two arrays per row of equal lengths, the columns of a Nested: the names and values of those that are not NaN. */
  namedNumbers(name: string, columns: readonly (readonly [name: string, values: Float64Array])[]): void {
    const ends = new Float64Array(this.rows);
    for (const [, values] of columns) countKnown(values, ends);
    for (let row = 1; row < this.rows; row++) ends[row] = (ends[row] as number) + (ends[row - 1] as number);
    this.head(`${name}.name`, 'Array(String)');
    this.wide(ends);
    const names = columns.map(([text]) => Buffer.from(text));
    for (let row = 0; columns.length > 0 && row < this.rows; row++) {
      for (const [index, [, values]] of columns.entries()) {
        if (!Number.isNaN(values[row])) this.string(names[index] as Buffer);
      }
    }
    this.head(`${name}.value`, 'Array(Float64)');
    this.wide(ends);
    const numbers = new Float64Array(ends.at(-1) ?? 0);
    for (let row = 0, next = 0; columns.length > 0 && row < this.rows; row++) {
      for (const [, values] of columns) {
        const value = values[row] as number;
        if (!Number.isNaN(value)) numbers[next++] = value;
      }
    }
    this.out.append(bytesOf(numbers));
  }

  /** Valid until the writer is used again. */
  bytes(): Uint8Array {
    return this.out.view();
  }

  private head(name: string, type: string): void {
    this.string(Buffer.from(name));
    this.string(Buffer.from(type));
  }

  private string(bytes: Uint8Array): void {
    this.out.varint(bytes.length);
    this.out.append(bytes);
  }

  private wide(values: Float64Array): void {
    const words = new Uint32Array(scratchOf(8 * this.rows), 0, 2 * this.rows);
    fillWide(values, words);
    this.out.append(bytesOf(words));
  }

  private dictionary({ strings, codes }: TextColumn): void {
    const size = strings.length + RESERVED;
    const width = size <= 0x100 ? 0 : size <= 0x10000 ? 1 : 2;
    this.word(DICTIONARY_VERSION);
    this.word(OWN_DICTIONARY | width);
    this.word(size);
    this.out.varint(0);
    for (const text of strings) this.string(Buffer.from(text));
    this.word(this.rows);
    if (width === 0) fillIndices(codes, this.out.reserve(this.rows));
    else {
      const bytes = scratchOf(4 * this.rows);
      const indices = width === 1 ? new Uint16Array(bytes, 0, this.rows) : new Uint32Array(bytes, 0, this.rows);
      fillIndices(codes, indices);
      this.out.append(bytesOf(indices));
    }
  }

  private word(value: number): void {
    const bytes = this.out.reserve(8).fill(0);
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, value, true);
  }
}

/** In the order of this machine's bytes: low first on all that run Node. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function scratchOf(size: number): ArrayBuffer {
  if (scratch.byteLength < size) scratch = new ArrayBuffer(2 * size);
  return scratch;
}

// Loops over rows are functions of their own, compiled once for all columns.

function fillIndices(codes: Int32Array, indices: Uint8Array | Uint16Array | Uint32Array): void {
  // NULL becomes the reserved entry.
  for (let row = 0; row < codes.length; row++) indices[row] = (codes[row] as number) - NULL;
}

function fillWide(values: Float64Array, words: Uint32Array): void {
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    words[2 * row] = value;
    words[2 * row + 1] = Math.floor(value / WORD);
  }
}

/** Rows without a value get 0, which compresses best. */
function fillOptional(values: Float64Array, none: number, isNull: Uint8Array, words: Uint32Array): void {
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    const known = value !== none && !Number.isNaN(value);
    const stored = known ? value : 0;
    isNull[row] = known ? 0 : 1;
    words[2 * row] = stored;
    words[2 * row + 1] = Math.floor(stored / WORD);
  }
}

function countKnown(values: Float64Array, counts: Float64Array): void {
  for (let row = 0; row < values.length; row++) {
    if (!Number.isNaN(values[row])) counts[row] = (counts[row] as number) + 1;
  }
}
