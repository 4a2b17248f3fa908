import { NULL, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { ByteWriter } from '../columns/bytes.ts';

const WORD = 2 ** 32;
const HALF_WORD = 2 ** 31;
/** The dictionary follows, and replaces the one before. */
const OWN_DICTIONARY = 0x600;
const DICTIONARY_VERSION = 1;
/** The first entry of a dictionary stands for none. */
const RESERVED = 1;

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

  /** UInt64 of whole numbers. */
  uint64(name: string, values: Float64Array): void {
    this.head(name, 'UInt64');
    this.wide(values);
  }

  /** Nullable(Int64) of whole numbers. @param none marks a row without a value, as NaN does */
  optionalInt64(name: string, values: Float64Array, none: number): void {
    this.head(name, 'Nullable(Int64)');
    const bytes = this.out.reserve(9 * this.rows);
    fillOptional(values, none, bytes.subarray(0, this.rows), viewOf(bytes.subarray(this.rows)));
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
    fillWide(values, viewOf(this.out.reserve(8 * this.rows)));
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
    const bytes = this.out.reserve(2 ** width * this.rows);
    if (width === 0) fillBytes(codes, bytes);
    else if (width === 1) fillShorts(codes, viewOf(bytes));
    else fillInts(codes, viewOf(bytes));
  }

  private word(value: number): void {
    const bytes = this.out.reserve(8).fill(0);
    viewOf(bytes).setUint32(0, value, true);
  }
}

/** In the order of this machine's bytes: low first on all that run Node. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

// Loops over rows are functions of their own, compiled once for all columns. Columns begin at any address, so they are written
// by views, which are as fast as arrays.

/** NULL becomes the reserved entry. */
function fillBytes(codes: Int32Array, bytes: Uint8Array): void {
  for (let row = 0; row < codes.length; row++) bytes[row] = (codes[row] as number) - NULL;
}

function fillShorts(codes: Int32Array, view: DataView): void {
  for (let row = 0; row < codes.length; row++) view.setUint16(2 * row, (codes[row] as number) - NULL, true);
}

function fillInts(codes: Int32Array, view: DataView): void {
  for (let row = 0; row < codes.length; row++) view.setUint32(4 * row, (codes[row] as number) - NULL, true);
}

function fillWide(values: Float64Array, view: DataView): void {
  for (let row = 0; row < values.length; row++) putWide(view, 8 * row, values[row] as number);
}

/** Rows without a value get 0, which compresses best. */
function fillOptional(values: Float64Array, none: number, isNull: Uint8Array, view: DataView): void {
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    const known = value !== none && !Number.isNaN(value);
    isNull[row] = known ? 0 : 1;
    putWide(view, 8 * row, known ? value : 0);
  }
}

function putWide(view: DataView, at: number, value: number): void {
  // Nearly all are small, and no division is needed.
  if (value >= 0 && value < HALF_WORD) {
    view.setInt32(at, value, true);
    view.setInt32(at + 4, 0, true);
  } else {
    view.setUint32(at, value, true);
    view.setInt32(at + 4, Math.floor(value / WORD), true);
  }
}

function countKnown(values: Float64Array, counts: Float64Array): void {
  for (let row = 0; row < values.length; row++) {
    if (!Number.isNaN(values[row])) counts[row] = (counts[row] as number) + 1;
  }
}
