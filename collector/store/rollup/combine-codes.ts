/** Rows in groups that are numbered from 0 in the order they first occur. */
export interface RowGroups {
  readonly codes: Int32Array;
  /** The first row of each group, which stands for all of it. */
  readonly first: readonly number[];
}

/** Up to here a table is faster than a map, and still small beside a chunk. */
const MAX_TABLE = 1 << 21;
/** A table much larger than the rows that use it costs more than looking them up twice. */
const KEYS_PER_ROW = 16;

/** Every row alike. */
export function oneGroup(n: number): RowGroups {
  return { codes: new Int32Array(n), first: n === 0 ? [] : [0] };
}

/** Divides groups further by a column of codes ≥ −1, of which there are `size`. */
export function divideGroups(groups: RowGroups, codes: Int32Array, size: number): RowGroups {
  const { length } = codes;
  const wide = size + 1;
  if (wide === 1) return groups;
  const divided = new Int32Array(length);
  const first: number[] = [];
  if (groups.first.length * wide <= MAX_TABLE) {
    const table = new Int32Array(groups.first.length * wide);
    for (let row = 0; row < length; row++) {
      const key = (groups.codes[row] as number) * wide + (codes[row] as number) + 1;
      let group = table[key] as number;
      if (group === 0) {
        group = first.push(row);
        table[key] = group;
      }
      divided[row] = group - 1;
    }
  } else {
    const table = new Map<number, number>();
    for (let row = 0; row < length; row++) {
      const key = (groups.codes[row] as number) * wide + (codes[row] as number) + 1;
      let group = table.get(key);
      if (group === undefined) {
        group = first.push(row) - 1;
        table.set(key, group);
      }
      divided[row] = group;
    }
  }
  return { codes: divided, first };
}

/** One column to group by: codes ≥ −1, of which there are `size`. */
export interface CodeColumn {
  readonly codes: Int32Array;
  readonly size: number;
}

/** Groups by all columns at once: as many as fit are joined to one key before rows are looked up by it. */
export function groupRows(n: number, columns: readonly CodeColumn[]): RowGroups {
  const maxKeys = Math.min(MAX_TABLE, KEYS_PER_ROW * n);
  let groups = oneGroup(n);
  let keys: Int32Array | null = null;
  let size = 1;
  for (const column of columns) {
    const wide = column.size + 1;
    if (wide === 1) continue;
    if (keys !== null && groups.first.length * size * wide > maxKeys) {
      groups = divideGroups(groups, keys, size);
      keys = null;
    }
    if (keys === null) {
      keys = column.codes.map((code) => code + 1);
      size = wide;
      continue;
    }
    const { codes } = column;
    for (let row = 0; row < n; row++) keys[row] = (keys[row] as number) * wide + (codes[row] as number) + 1;
    size *= wide;
  }
  return keys === null ? groups : divideGroups(groups, keys, size);
}

/** Codes for a column of numbers: the place of each among those that occur. */
export function codesOf(values: ArrayLike<number>): { codes: Int32Array; entries: number[] } {
  const entries: number[] = [];
  const places = new Map<number, number>();
  const codes = new Int32Array(values.length);
  let before = Number.NaN;
  let place = -1;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    if (value !== before) {
      before = value;
      const known = places.get(value);
      place = known ?? entries.push(value) - 1;
      if (known === undefined) places.set(value, place);
    }
    codes[row] = place;
  }
  return { codes, entries };
}

/** Per row the code of its place. */
export function pickCodes(codes: ArrayLike<number>, places: Int32Array): Int32Array {
  const picked = new Int32Array(places.length);
  for (let row = 0; row < places.length; row++) picked[row] = codes[places[row] as number] as number;
  return picked;
}
