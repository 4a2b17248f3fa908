import { NULL, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { ByteWriter } from '../columns/bytes.ts';

const WORD = 2 ** 32;
/** The dictionary follows, and replaces the one before. */
const OWN_DICTIONARY = 0x600;
const DICTIONARY_VERSION = 1;

/**
 * One block of columns in ClickHouse's Native format, in which a block is sent without being parsed:
 * https://clickhouse.com/docs/interfaces/formats/Native. The same columns always give the same bytes.
 */
export class NativeWriter {
  private readonly out = new ByteWriter();
  private readonly rows: number;

  constructor(columns: number, rows: number) {
    this.rows = rows;
    this.out.varint(columns);
    this.out.varint(rows);
  }

  /** LowCardinality(String); a row without a string gets the empty one. */
  text(name: string, { strings, codes }: TextColumn): void {
    this.dictionary(name, 'LowCardinality(String)', strings, codes, 1);
  }

  /** LowCardinality(Nullable(String)). */
  optionalText(name: string, { strings, codes }: TextColumn): void {
    this.dictionary(name, 'LowCardinality(Nullable(String))', strings, codes, 2);
  }

  /** Int64 of whole numbers. */
  int64(name: string, values: ArrayLike<number>): void {
    this.head(name, 'Int64');
    this.wide(values);
  }

  /** Nullable(Int64) of whole numbers. @param none marks a row without a value */
  optionalInt64(name: string, values: Float64Array, none: number): void {
    this.head(name, 'Nullable(Int64)');
    const isNull = this.out.reserve(this.rows);
    for (let row = 0; row < this.rows; row++) {
      const value = values[row] as number;
      isNull[row] = value === none || Number.isNaN(value) ? 1 : 0;
    }
    this.wide(values);
  }

  /** @param values of which only the low 32 bits are kept */
  uint32(name: string, values: ArrayLike<number>): void {
    this.head(name, 'UInt32');
    const bytes = this.out.reserve(4 * this.rows);
    for (let row = 0, at = 0; row < this.rows; row++, at += 4) {
      const value = values[row] as number;
      bytes[at] = value;
      bytes[at + 1] = value >>> 8;
      bytes[at + 2] = value >>> 16;
      bytes[at + 3] = value >>> 24;
    }
  }

  uint8(name: string, values: Uint8Array): void {
    this.head(name, 'UInt8');
    this.out.append(values);
  }

  /** Two arrays per row of equal lengths, the columns of a Nested: the names and values of those that are not NaN. */
  namedNumbers(name: string, columns: readonly (readonly [name: string, values: Float64Array])[]): void {
    const ends = new Float64Array(this.rows);
    let end = 0;
    for (let row = 0; row < this.rows; row++) {
      for (const [, values] of columns) if (!Number.isNaN(values[row])) end++;
      ends[row] = end;
    }
    this.head(`${name}.name`, 'Array(String)');
    this.wide(ends);
    const names = columns.map(([text]) => Buffer.from(text));
    for (let row = 0; row < this.rows; row++) {
      for (const [index, [, values]] of columns.entries()) {
        if (!Number.isNaN(values[row])) this.string(names[index] as Buffer);
      }
    }
    this.head(`${name}.value`, 'Array(Float64)');
    this.wide(ends);
    const numbers = new Float64Array(end);
    let next = 0;
    for (let row = 0; row < this.rows; row++) {
      for (const [, values] of columns) {
        const value = values[row] as number;
        if (!Number.isNaN(value)) numbers[next++] = value;
      }
    }
    this.out.append(new Uint8Array(numbers.buffer));
  }

  bytes(): Uint8Array {
    return this.out.view().slice();
  }

  private head(name: string, type: string): void {
    this.string(Buffer.from(name));
    this.string(Buffer.from(type));
  }

  private string(bytes: Uint8Array): void {
    this.out.varint(bytes.length);
    this.out.append(bytes);
  }

  private wide(values: ArrayLike<number>): void {
    const bytes = this.out.reserve(8 * this.rows);
    for (let row = 0, at = 0; row < this.rows; row++, at += 8) {
      let value = values[row] as number;
      if (Number.isNaN(value)) value = 0;
      const high = Math.floor(value / WORD);
      const low = value - high * WORD;
      bytes[at] = low;
      bytes[at + 1] = low >>> 8;
      bytes[at + 2] = low >>> 16;
      bytes[at + 3] = low >>> 24;
      bytes[at + 4] = high;
      bytes[at + 5] = high >> 8;
      bytes[at + 6] = high >> 16;
      bytes[at + 7] = high >> 24;
    }
  }

  /**
   * Only strings that a row has, in order of first use, so that the same rows give the same bytes.
   * @param reserved empty strings before them: the first stands for none
   */
  private dictionary(
    name: string,
    type: string,
    strings: readonly string[],
    codes: Int32Array,
    reserved: number,
  ): void {
    this.head(name, type);
    const indices = new Int32Array(strings.length).fill(NULL);
    const used: string[] = [];
    const rows = new Uint32Array(this.rows);
    for (let row = 0; row < this.rows; row++) {
      const code = codes[row] as number;
      if (code === NULL) continue;
      if (indices[code] === NULL) indices[code] = used.push(strings[code] as string) - 1 + reserved;
      rows[row] = indices[code] as number;
    }
    const size = used.length + reserved;
    const width = size <= 0x100 ? 0 : size <= 0x10000 ? 1 : 2;
    this.word(DICTIONARY_VERSION);
    this.word(OWN_DICTIONARY | width);
    this.word(size);
    for (let index = 0; index < reserved; index++) this.out.varint(0);
    for (const text of used) this.string(Buffer.from(text));
    this.word(this.rows);
    const narrow = width === 0 ? Uint8Array.from(rows) : width === 1 ? Uint16Array.from(rows) : rows;
    this.out.append(new Uint8Array(narrow.buffer));
  }

  private word(value: number): void {
    const bytes = this.out.reserve(8).fill(0);
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, value, true);
  }
}
