/** Rows in groups, which are numbered in order of first occurrence. */
export interface RowGroups {
  readonly codes: Int32Array;
  /** The first row of each group, which represents it. */
  readonly first: readonly number[];
}

/** Up to this size a table is faster than a map, and small compared with a chunk. */
const MAX_TABLE = 1 << 21;
/** Clearing a table much larger than the number of rows costs more than looking rows up twice. */
const KEYS_PER_ROW = 16;

/** All rows in one group. */
export function oneGroup(n: number): RowGroups {
  return { codes: new Int32Array(n), first: n === 0 ? [] : [0] };
}

/**
 * Divides groups by a column of codes ≥ −1, of which there are `size`.
 * @param into receives the new groups of rows; may be the array of the given ones
 */
export function divideGroups(
  groups: RowGroups,
  codes: Int32Array,
  size: number,
  into: Int32Array = new Int32Array(codes.length),
): RowGroups {
  const { length } = codes;
  const wide = size + 1;
  if (wide === 1) return groups;
  if (groups.first.length * wide <= MAX_TABLE) {
    for (let row = 0; row < length; row++) {
      into[row] = (groups.codes[row] as number) * wide + (codes[row] as number) + 1;
    }
    return { codes: into, first: numberKeys(into, groups.first.length * wide) };
  }
  const first: number[] = [];
  const table = new Map<number, number>();
  for (let row = 0; row < length; row++) {
    const key = (groups.codes[row] as number) * wide + (codes[row] as number) + 1;
    let group = table.get(key);
    if (group === undefined) {
      group = first.push(row) - 1;
      table.set(key, group);
    }
    into[row] = group;
  }
  return { codes: into, first };
}

/** Replaces keys below `size` with group numbers. Returns the first row of each group. */
function numberKeys(keys: Int32Array, size: number): number[] {
  const first: number[] = [];
  const table = new Int32Array(size);
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row] as number;
    let group = table[key] as number;
    if (group === 0) {
      group = first.push(row);
      table[key] = group;
    }
    keys[row] = group - 1;
  }
  return first;
}

/** One column to group by: codes ≥ −1, of which there are `size`. */
export interface CodeColumn {
  readonly codes: Int32Array;
  readonly size: number;
}

/**
 * Groups by all columns at once, combining as many as fit into one key before rows are looked up by it.
 * @param into receives the groups of rows
 */
export function groupRows(n: number, columns: readonly CodeColumn[], into: Int32Array = new Int32Array(n)): RowGroups {
  const maxKeys = Math.min(MAX_TABLE, KEYS_PER_ROW * n);
  let keys = 1;
  into.fill(0);
  for (const { codes, size } of columns) {
    const wide = size + 1;
    if (wide === 1) continue;
    if (keys * wide > maxKeys) {
      const groups = { codes: into, first: numberKeys(into, keys) };
      keys = groups.first.length;
      if (keys * wide > maxKeys) {
        keys = divideGroups(groups, codes, size, into).first.length;
        continue;
      }
    }
    for (let row = 0; row < n; row++) into[row] = (into[row] as number) * wide + (codes[row] as number) + 1;
    keys *= wide;
  }
  return { codes: into, first: numberKeys(into, keys) };
}

/** Codes for a column of numbers: the index of each in the list of distinct numbers. */
export function combineCodes(
  values: ArrayLike<number>,
  codes: Int32Array = new Int32Array(values.length),
): { codes: Int32Array; entries: number[] } {
  const entries: number[] = [];
  const indices = new Map<number, number>();
  let before = Number.NaN;
  let index = -1;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    if (value !== before) {
      before = value;
      const known = indices.get(value);
      index = known ?? entries.push(value) - 1;
      if (known === undefined) indices.set(value, index);
    }
    codes[row] = index;
  }
  return { codes, entries };
}

/** Per row the code at its index. */
export function pickCodes(
  codes: ArrayLike<number>,
  indices: Int32Array,
  picked: Int32Array = new Int32Array(indices.length),
): Int32Array {
  for (let row = 0; row < indices.length; row++) picked[row] = codes[indices[row] as number] as number;
  return picked;
}
