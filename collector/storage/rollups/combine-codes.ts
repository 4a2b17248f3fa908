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

/**
 * Divides groups further by a column of codes ≥ −1, of which there are `size`.
 * @param into where the groups of rows are written; those given may be there
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

/** Puts numbers of groups in the place of keys below `size`. Returns the first row of each. */
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
 * Groups by all columns at once: as many as fit are joined to one key before rows are looked up by it.
 * @param into where the groups of rows are written
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

/** Codes for a column of numbers: the place of each among those that occur. */
export function codesOf(
  values: ArrayLike<number>,
  codes: Int32Array = new Int32Array(values.length),
): { codes: Int32Array; entries: number[] } {
  const entries: number[] = [];
  const places = new Map<number, number>();
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
export function pickCodes(
  codes: ArrayLike<number>,
  places: Int32Array,
  picked: Int32Array = new Int32Array(places.length),
): Int32Array {
  for (let row = 0; row < places.length; row++) picked[row] = codes[places[row] as number] as number;
  return picked;
}
