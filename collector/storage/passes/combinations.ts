/** Up to this size a table is used, beyond it a map. */
const MAX_TABLE = 1 << 22;
/** Distinct values of one column. */
const MAX_WORDS = 2 ** 26;

/** Numbers combinations of values, one of each column, in order of first occurrence. */
export interface Combinations {
  /** The number of a value in its column; null has one as well. */
  valueOf(column: number, value: string | null): number;
  /** The number of a combination. @param values as numbered by `valueOf`, one of each column */
  numberOf(values: ArrayLike<number>): number;
}

/**
 * A chunk has ten thousand combinations of host, page and type: building a text for each would take longer than all other
 * work on the chunk.
 */
export function createCombinations(columns: number): Combinations {
  const values = Array.from({ length: columns }, () => new Map<string | null, number>());
  const steps = Array.from({ length: columns }, createSteps);
  return {
    valueOf(column, value) {
      const known = values[column] as Map<string | null, number>;
      let number = known.get(value);
      if (number === undefined) {
        number = known.size;
        if (number >= MAX_WORDS) throw new RangeError('There are too many distinct values.');
        known.set(value, number);
      }
      return number;
    },
    numberOf(path) {
      let number = 0;
      for (let column = 0; column < columns; column++) {
        number = (steps[column] as Steps).next(number, path[column] as number);
      }
      return number;
    },
  };
}

interface Steps {
  /** The number of a pair, from 0 on. */
  next(from: number, value: number): number;
}

/** A table with a row per number and a column per value, while it is small. */
function createSteps(): Steps {
  let stride = 8;
  let rows = 1;
  let table: Int32Array | null = new Int32Array(stride * rows);
  const others = new Map<number, number>();
  let used = 0;

  function makeRoom(from: number, value: number): void {
    if (table === null || (from < rows && value < stride)) return;
    const [wide, long] = [powerAbove(stride, value), powerAbove(rows, from)];
    if (wide * long > MAX_TABLE) {
      table.forEach((next, index) => {
        if (next > 0) others.set(keyOf(Math.floor(index / stride), index % stride), next);
      });
      table = null;
      return;
    }
    const grown = new Int32Array(wide * long);
    for (let row = 0; row < rows; row++) grown.set(table.subarray(row * stride, (row + 1) * stride), row * wide);
    [table, stride, rows] = [grown, wide, long];
  }

  return {
    next(from, value) {
      makeRoom(from, value);
      const index = from * stride + value;
      const known = table === null ? others.get(keyOf(from, value)) : (table[index] as number);
      if (known !== undefined && known > 0) return known - 1;
      used++;
      if (table === null) others.set(keyOf(from, value), used);
      else table[index] = used;
      return used - 1;
    },
  };
}

function keyOf(from: number, value: number): number {
  return from * MAX_WORDS + value;
}

function powerAbove(power: number, number: number): number {
  let above = power;
  while (above <= number) above *= 2;
  return above;
}
