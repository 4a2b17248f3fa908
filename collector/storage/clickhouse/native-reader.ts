import { NULL, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { ByteReader } from '../columns/bytes.ts';

/** Columns by name. A column of another type than the asked one throws a RangeError. */
export interface NativeBlock {
  readonly n: number;
  has(name: string): boolean;
  /** Of any whole or floating type; NULL where a nullable one has none. Exact up to 2⁵³. */
  numbers(name: string): Float64Array;
  text(name: string): TextColumn;
  /** Arrays of numbers. */
  lists(name: string): NativeLists<Float64Array>;
  /** Arrays of strings. */
  textLists(name: string): NativeLists<readonly string[]>;
}

export interface NativeLists<V> {
  /** Row r has the values from `ends[r − 1]` (0 for the first) up to `ends[r]`. */
  readonly ends: Float64Array;
  readonly values: V;
}

type Column =
  | Float64Array
  | TextColumn
  | readonly string[]
  | NativeLists<Float64Array>
  | NativeLists<readonly string[]>;

/** A column of one block. */
interface ColumnPlace {
  readonly at: number;
  readonly rows: number;
}

/**
 * All blocks of an answer as one. A column is decoded when it is asked for: questions that read samples ask for few of forty.
 *
 * @throws RangeError for anything but the Native format
 */
export function readNative(bytes: Uint8Array): NativeBlock {
  const reader = new ByteReader(bytes);
  const parts = new Map<string, { readonly type: string; readonly places: ColumnPlace[] }>();
  let n = 0;
  while (reader.at < bytes.length) {
    const columns = reader.varint();
    const rows = reader.varint();
    n += rows;
    for (let column = 0; column < columns; column++) {
      const name = readString(reader);
      const type = readString(reader);
      const part = parts.get(name) ?? { type, places: [] };
      if (rows > 0) {
        part.places.push({ at: reader.at, rows });
        skipColumn(reader, type, rows);
      }
      parts.set(name, part);
    }
  }

  function columnsOf<C extends Column>(name: string, is: (type: string) => boolean): readonly C[] {
    const part = parts.get(name);
    // An answer without rows may have no columns either.
    if (part === undefined && n === 0) return [];
    if (part === undefined || !is(part.type))
      throw new RangeError(`the answer has no such column ${name}: ${part?.type}`);
    return part.places.map(({ at, rows }) => {
      reader.at = at;
      return readColumn(reader, part.type, rows) as C;
    });
  }

  return {
    n,
    has: (name) => parts.has(name),
    numbers: (name) => joinNumbers(columnsOf(name, isNumber)),
    text: (name) => joinTexts(columnsOf<TextColumn | readonly string[]>(name, isText).map(asTextColumn), n),
    lists(name) {
      const lists = columnsOf<NativeLists<Float64Array>>(
        name,
        (type) => type.startsWith('Array(') && isNumber(innerOf(type)),
      );
      return { ends: joinEnds(lists), values: joinNumbers(lists.map(({ values }) => values)) };
    },
    textLists(name) {
      const lists = columnsOf<NativeLists<readonly string[]>>(name, (type) => type === 'Array(String)');
      return { ends: joinEnds(lists), values: lists.flatMap(({ values }) => values) };
    },
  };
}

const WIDTHS: Readonly<Record<string, number>> = {
  UInt8: 1,
  Int8: 1,
  UInt16: 2,
  Int16: 2,
  UInt32: 4,
  Int32: 4,
  UInt64: 8,
  Int64: 8,
  Float64: 8,
};

function innerOf(type: string): string {
  return type.slice(type.indexOf('(') + 1, -1);
}

function isNumber(type: string): boolean {
  return (type.startsWith('Nullable(') ? innerOf(type) : type) in WIDTHS;
}

function isText(type: string): boolean {
  return type === 'String' || type.startsWith('LowCardinality(');
}

function readString(reader: ByteReader): string {
  const length = reader.varint();
  const from = reader.at;
  reader.at += length;
  if (reader.at > reader.bytes.length) throw new RangeError('The answer ends inside a string.');
  return Buffer.from(reader.bytes.buffer, reader.bytes.byteOffset + from, length).toString();
}

function take(reader: ByteReader, size: number): Uint8Array {
  const from = reader.at;
  reader.at += size;
  if (reader.at > reader.bytes.length) throw new RangeError('The answer ends inside a column.');
  // Copied, since numbers have to be aligned.
  return reader.bytes.slice(from, reader.at);
}

function readColumn(reader: ByteReader, type: string, rows: number): Column {
  if (type === 'String') return Array.from({ length: rows }, () => readString(reader));
  if (type.startsWith('LowCardinality(')) return readDictionary(reader, innerOf(type));
  if (type.startsWith('Nullable(')) return readNullable(reader, innerOf(type), rows);
  if (type.startsWith('Array(')) {
    const ends = readNumbers(reader, 'UInt64', rows);
    const values = readColumn(reader, innerOf(type), ends[rows - 1] ?? 0);
    return { ends, values } as NativeLists<Float64Array>;
  }
  return readNumbers(reader, type, rows);
}

function skip(reader: ByteReader, size: number): void {
  reader.at += size;
  if (reader.at > reader.bytes.length) throw new RangeError('The answer ends inside a column.');
}

function skipStrings(reader: ByteReader, rows: number): void {
  for (let row = 0; row < rows; row++) skip(reader, reader.varint());
}

function skipColumn(reader: ByteReader, type: string, rows: number): void {
  if (type === 'String') skipStrings(reader, rows);
  else if (type.startsWith('LowCardinality(')) {
    const { size, width } = readDictionaryHead(reader);
    skipStrings(reader, size);
    skip(reader, 8 + width * rows);
  } else if (type.startsWith('Nullable(')) {
    skip(reader, rows);
    skipColumn(reader, innerOf(type), rows);
  } else if (type.startsWith('Array(')) {
    const ends = readNumbers(reader, 'UInt64', rows);
    skipColumn(reader, innerOf(type), ends[rows - 1] ?? 0);
  } else skip(reader, widthOf(type) * rows);
}

function widthOf(type: string): number {
  const width = WIDTHS[type];
  if (width === undefined) throw new RangeError(`unexpected type ${type}`);
  return width;
}

function readNullable(reader: ByteReader, type: string, rows: number): Float64Array {
  const isNull = take(reader, rows);
  const values = readNumbers(reader, type, rows);
  for (let row = 0; row < rows; row++) if (isNull[row] === 1) values[row] = NULL;
  return values;
}

function readNumbers(reader: ByteReader, type: string, rows: number): Float64Array {
  const { buffer } = take(reader, widthOf(type) * rows);
  switch (type) {
    case 'Float64':
      return new Float64Array(buffer);
    case 'UInt8':
      return new Float64Array(new Uint8Array(buffer));
    case 'Int8':
      return new Float64Array(new Int8Array(buffer));
    case 'UInt16':
      return new Float64Array(new Uint16Array(buffer));
    case 'Int16':
      return new Float64Array(new Int16Array(buffer));
    case 'UInt32':
      return new Float64Array(new Uint32Array(buffer));
    case 'Int32':
      return new Float64Array(new Int32Array(buffer));
    default:
      return wideNumbers(new Uint32Array(buffer), type === 'Int64', rows);
  }
}

const WORD = 2 ** 32;

function wideNumbers(words: Uint32Array, signed: boolean, rows: number): Float64Array {
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const low = words[2 * row] as number;
    const high = words[2 * row + 1] as number;
    values[row] = high === 0 ? low : (signed ? high | 0 : high) * WORD + low;
  }
  return values;
}

/** @returns how many strings follow, and the bytes of each index */
function readDictionaryHead(reader: ByteReader): { readonly size: number; readonly width: number } {
  skip(reader, 8);
  const [flags = 0, size = 0] = readNumbers(reader, 'UInt64', 2);
  return { size, width: 2 ** (flags & 0xff) };
}

/** The first entry of a nullable one stands for none. */
function readDictionary(reader: ByteReader, type: string): TextColumn {
  const { size, width } = readDictionaryHead(reader);
  const strings = Array.from({ length: size }, () => readString(reader));
  const [rows = 0] = readNumbers(reader, 'UInt64', 1);
  const { buffer } = take(reader, width * rows);
  const indices =
    width === 1 ? new Uint8Array(buffer) : width === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
  const codes = new Int32Array(indices);
  if (type.startsWith('Nullable(')) for (let row = 0; row < rows; row++) if (codes[row] === 0) codes[row] = NULL;
  return { strings, codes };
}

function asTextColumn(column: TextColumn | readonly string[]): TextColumn {
  if (!Array.isArray(column)) return column as TextColumn;
  const indices = new Map<string, number>();
  const codes = Int32Array.from(column as readonly string[], (text) => {
    const index = indices.get(text) ?? indices.size;
    indices.set(text, index);
    return index;
  });
  return { strings: [...indices.keys()], codes };
}

function joinNumbers(columns: readonly Float64Array[]): Float64Array {
  if (columns.length === 1) return columns[0] as Float64Array;
  const joined = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    joined.set(column, at);
    at += column.length;
  }
  return joined;
}

function joinEnds(lists: readonly NativeLists<unknown>[]): Float64Array {
  let before = 0;
  return joinNumbers(
    lists.map(({ ends }) => {
      const own = ends.map((end) => end + before);
      before = own.at(-1) ?? before;
      return own;
    }),
  );
}

/** Strings once each, whatever their blocks. */
function joinTexts(columns: readonly TextColumn[], n: number): TextColumn {
  if (columns.length === 1) return columns[0] as TextColumn;
  const indices = new Map<string, number>();
  const codes = new Int32Array(n);
  let at = 0;
  for (const { strings, codes: ofBlock } of columns) {
    // By the code + 1, since that of NULL is −1.
    const own = new Int32Array(strings.length + 1);
    own[0] = NULL;
    strings.forEach((text, code) => {
      const index = indices.get(text) ?? indices.size;
      indices.set(text, index);
      own[code + 1] = index;
    });
    for (let row = 0; row < ofBlock.length; row++) codes[at++] = own[(ofBlock[row] as number) + 1] as number;
  }
  return { strings: [...indices.keys()], codes };
}
