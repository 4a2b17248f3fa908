/** A table of so many places is still small; beyond it combinations are looked up. */
const MAX_TABLE = 1 << 22;
/** Words of one column that can be told apart. */
const MAX_WORDS = 2 ** 26;

/** Numbers combinations of words, one word of each of some columns, in the order they are met. */
export interface Combinations {
  /** The number of a word in its column; null has one as well. */
  valueOf(column: number, word: string | null): number;
  /** The number of a combination. @param words as numbered by `wordOf`, one of each column */
  numberOf(words: ArrayLike<number>): number;
}

/**
 * There are ten thousand combinations of host, page and type in a chunk: a text for each of them would take longer than
 * everything else that is done with the chunk.
 */
export function createCombinations(columns: number): Combinations {
  const words = Array.from({ length: columns }, () => new Map<string | null, number>());
  const steps = Array.from({ length: columns }, createSteps);
  return {
    valueOf(column, word) {
      const known = words[column] as Map<string | null, number>;
      let number = known.get(word);
      if (number === undefined) {
        number = known.size;
        if (number >= MAX_WORDS) throw new RangeError('More words than can be told apart.');
        known.set(word, number);
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
  /** Where a word leads from a number: the same for the same, from 0 on. */
  next(from: number, word: number): number;
}

/** A table with a row for each number and a place for each word, as long as that is small. */
function createSteps(): Steps {
  let stride = 8;
  let rows = 1;
  let table: Int32Array | null = new Int32Array(stride * rows);
  const others = new Map<number, number>();
  let used = 0;

  function makeRoom(from: number, word: number): void {
    if (table === null || (from < rows && word < stride)) return;
    const [wide, long] = [powerAbove(stride, word), powerAbove(rows, from)];
    if (wide * long > MAX_TABLE) {
      table.forEach((next, place) => {
        if (next > 0) others.set(keyOf(Math.floor(place / stride), place % stride), next);
      });
      table = null;
      return;
    }
    const grown = new Int32Array(wide * long);
    for (let row = 0; row < rows; row++) grown.set(table.subarray(row * stride, (row + 1) * stride), row * wide);
    [table, stride, rows] = [grown, wide, long];
  }

  return {
    next(from, word) {
      makeRoom(from, word);
      const place = from * stride + word;
      const known = table === null ? others.get(keyOf(from, word)) : (table[place] as number);
      if (known !== undefined && known > 0) return known - 1;
      used++;
      if (table === null) others.set(keyOf(from, word), used);
      else table[place] = used;
      return used - 1;
    },
  };
}

function keyOf(from: number, word: number): number {
  return from * MAX_WORDS + word;
}

function powerAbove(power: number, number: number): number {
  let above = power;
  while (above <= number) above *= 2;
  return above;
}
