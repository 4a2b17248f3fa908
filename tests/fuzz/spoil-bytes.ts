import { COLUMN_HEAD_BYTES, HEADER, HEADER_BYTES } from '../../shared/wire/byte-layout.ts';

/** How many bytes each field of the header and of a column's head has, by its offset. */
const HEADER_FIELDS = [
  [0, 4],
  [HEADER.version, 2],
  [HEADER.n, 2],
  [HEADER.batch, 6],
  [HEADER.sentAt, 6],
  [HEADER.firstAt, 6],
  [HEADER.columns, 2],
  [HEADER.client, 2],
  [HEADER.status, 4],
] as const;
const HEAD_FIELDS = [
  [0, 1],
  [1, 1],
  [2, 2],
  [4, 4],
] as const;
/** Often enough a valid one. */
const NUMBERS = [0, 1, 2, 3, 8, 16, 17, 29, 34, 64, 72, 85, 128, 255, 256, 5000, 5001, 65_535, 2 ** 31, 2 ** 32 - 1];

interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * A batch in version 2 with one of its fields, columns or bytes changed: most still have the structure of a batch, so that
 * what lies behind the first check is reached too.
 *
 * @param random 0 ≤ x < 1
 */
export function spoilBytes(body: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const bytes = Buffer.from(body);
  const columns = columnsOf(bytes);
  const put = (offset: number, [at, width]: readonly [number, number]) => {
    if (offset + at + width > bytes.length) return bytes;
    const old = bytes.readUIntLE(offset + at, width);
    const value = below(2) === 0 ? pick(NUMBERS) : old + pick([1, -1, 2, -2, 256]);
    bytes.writeUIntLE(Math.max(0, value) % 256 ** width, offset + at, width);
    return bytes;
  };
  switch (below(8)) {
    case 0:
      return put(0, pick(HEADER_FIELDS));
    case 1:
    case 2:
      return columns.length === 0 ? bytes : put(pick(columns).start, pick(HEAD_FIELDS));
    case 3: {
      // A length of a string, or a byte of one.
      if (columns.length === 0) return bytes;
      const { start, end } = pick(columns);
      return put(start + COLUMN_HEAD_BYTES, [below(Math.max(1, end - start - COLUMN_HEAD_BYTES)), 1]);
    }
    case 4: {
      // A column removed, repeated or moved, and counted.
      if (columns.length === 0) return bytes;
      const { start, end } = pick(columns);
      const to = pick(columns).start;
      const copy = bytes.subarray(start, end);
      const isRemoved = below(2) === 0;
      const joined = isRemoved
        ? Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
        : Buffer.concat([bytes.subarray(0, to), copy, bytes.subarray(to)]);
      joined.writeUInt16LE((columns.length + (isRemoved ? -1 : 1)) & 0xffff, HEADER.columns);
      return joined;
    }
    case 5:
      return bytes.subarray(0, below(bytes.length + 1));
    case 6: {
      const at = below(bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256)]), bytes.subarray(at + below(2))]);
    }
    default: {
      if (bytes.length > 0) bytes[below(bytes.length)] = below(256);
      return bytes;
    }
  }
}

/** As far as its own lengths say so. */
function columnsOf(bytes: Buffer): Piece[] {
  const columns: Piece[] = [];
  if (bytes.length < HEADER_BYTES) return columns;
  let start = HEADER_BYTES + bytes.readUInt16LE(HEADER.client) + bytes.readUInt32LE(HEADER.status);
  while (start + COLUMN_HEAD_BYTES <= bytes.length) {
    const end = Math.min(start + COLUMN_HEAD_BYTES + bytes.readUInt32LE(start + 4), bytes.length);
    columns.push({ start, end });
    start = end;
  }
  return columns;
}
