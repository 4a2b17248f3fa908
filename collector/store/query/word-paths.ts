/** Words of one dimension after the other are found by numbers: a text for each group of each chunk would take longer than all else. */
const MAX_WORDS = 2 ** 26;

/** Numbers combinations of words, one word of each of some columns, in the order they are met. */
export interface WordPaths {
  /** The number of a word in its column; null has one as well. */
  wordOf(column: number, word: string | null): number;
  /** The number of a combination. @param words as numbered by `wordOf`, one of each column */
  pathOf(words: ArrayLike<number>): number;
}

export function createWordPaths(columns: number): WordPaths {
  const words = Array.from({ length: columns }, () => new Map<string | null, number>());
  const steps = Array.from({ length: columns }, () => new Map<number, number>());
  return {
    wordOf(column, word) {
      const known = words[column] as Map<string | null, number>;
      const number = known.get(word) ?? known.size;
      if (number === known.size) {
        if (number >= MAX_WORDS) throw new RangeError('More words than can be told apart.');
        known.set(word, number);
      }
      return number;
    },
    pathOf(path) {
      let number = 0;
      for (let column = 0; column < columns; column++) {
        const step = steps[column] as Map<number, number>;
        const key = number * MAX_WORDS + (path[column] as number);
        let next = step.get(key);
        if (next === undefined) {
          next = step.size;
          step.set(key, next);
        }
        number = next;
      }
      return number;
    },
  };
}
