import { OTHER_NUMBERS, TEXT_NAMES } from '../sample/sample-columns.ts';
import { TIME_NAMES } from '../vocabulary/time-names.ts';

/** Version 2 of the wire, byte by byte in docs/wire-format.md. */
export const BYTES_VERSION = 2;
export const BYTES_CONTENT_TYPE = 'application/vnd.lastbyte.batch';

/** `LSTB` as the first four bytes, little-endian. */
export const MAGIC = 0x4254534c;
export const HEADER_BYTES = 44;
export const COLUMN_HEAD_BYTES = 8;
/** Offsets in the header. */
export const HEADER = {
  version: 4,
  n: 6,
  batch: 8,
  sentAt: 24,
  firstAt: 30,
  columns: 36,
  client: 38,
  status: 40,
} as const;

/** Of a column with a dictionary, and of any other. */
export const MAX_CODE_WIDTH = 2;
export const MAX_WIDTH = 7;
export const METRIC_WIDTH = 8;

/** Stored for what a column can't hold, such as a negative time. No rule accepts it. */
export const NO_VALUE = 2 ** 53;
/** The same for an index. */
export const NO_CODE = 2 ** 16 - 1;

/** Numbers of columns: never changed or used again, so a name that is added comes last in its list. */
export const AT_COLUMN = 1;
export const TEXT_COLUMNS = numbered(TEXT_NAMES, 16);
export const NUMBER_COLUMNS = { ...numbered(TIME_NAMES, 64), ...numbered(OTHER_NUMBERS, 80) };
export const METRIC_COLUMN = 128;

function numbered<Name extends string>(names: readonly Name[], first: number): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, index) => [name, first + index])) as Record<Name, number>;
}
