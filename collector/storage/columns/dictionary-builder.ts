import type { StoredClientInfo } from '../../../shared/sample/sample.ts';
import { NULL, type TextColumn } from '../../../shared/sample/sample-columns.ts';

/** Merges the dictionaries of many parts into one that holds each entry once. */
export class DictionaryBuilder<T> {
  readonly entries: T[] = [];
  private readonly known = new Map<string, number>();
  private readonly keyOf: (entry: T) => string;

  /** @param keyOf equal for equal entries */
  constructor(keyOf: (entry: T) => string) {
    this.keyOf = keyOf;
  }

  /** The index here of each entry of one part; new entries are appended. */
  indicesOf(part: readonly T[]): number[] {
    return part.map((entry) => this.indexOf(entry));
  }

  indexOf(entry: T): number {
    const key = this.keyOf(entry);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const index = this.entries.push(entry) - 1;
    this.known.set(key, index);
    return index;
  }
}

export function stringDictionary(): DictionaryBuilder<string> {
  return new DictionaryBuilder((text) => text);
}

/** Keyed by a string that is several times faster to build than JSON. */
export function clientDictionary(): DictionaryBuilder<StoredClientInfo> {
  return new DictionaryBuilder(
    ({ client, site, browser, browserVersion, extensionVersion, clockStep, key = '' }) =>
      `${client}\n${site}\n${browser}\n${browserVersion}\n${extensionVersion}\n${clockStep}\n${key}`,
  );
}

/** Replaces the codes of one part with indexes into the merged dictionary, in place. */
export function translateCodes(codes: Int32Array, indices: readonly number[]): Int32Array {
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code !== NULL) codes[row] = indices[code] as number;
  }
  return codes;
}

/**
 * The strings of one text column of many batches: each once, and only those that a row uses. Unused dictionary strings cost
 * their sender next to nothing, but would be stored and merged for as long as the samples are kept.
 */
export interface UsedStrings {
  readonly entries: readonly string[];
  /** By code of this batch: the string's index plus one, 0 until it is added. Valid until the next call. */
  indicesOf(column: TextColumn): Int32Array;
  /** Appends a string of that batch unless it is known. Returns the value that `indicesOf` has for it from then on. */
  add(column: TextColumn, code: number): number;
}

/** By a string's number: its index, and the list that index belongs to. Shared by all lists, since a `Map` lookup is slow. */
let indexOfNumber = new Int32Array(0);
let listOfNumber = new Int32Array(0);
let lists = 0;
const MAX_LISTS = 2 ** 31 - 1;
/** By code of the current batch. */
let indices = new Int32Array(0);

/**
 * Uses the numbers of the strings if all columns have numbers of one edition. One list must be finished before the next is
 * begun.
 */
export function usedStrings(columns: readonly (TextColumn | undefined)[]): UsedStrings {
  return shareNumbers(columns) ? listByNumber() : listByText();
}

function shareNumbers(columns: readonly (TextColumn | undefined)[]): boolean {
  let edition: number | undefined;
  for (const column of columns) {
    if (column === undefined) continue;
    if (column.numbers === undefined) return false;
    edition ??= column.numbers.edition;
    if (column.numbers.edition !== edition) return false;
  }
  return true;
}

function indicesOf({ strings }: TextColumn): Int32Array {
  if (indices.length < strings.length) indices = new Int32Array(2 * strings.length);
  else indices.fill(0, 0, strings.length);
  return indices;
}

function listByText(): UsedStrings {
  const dictionary = stringDictionary();
  return {
    entries: dictionary.entries,
    indicesOf,
    add({ strings }, code) {
      const index = dictionary.indexOf(strings[code] as string) + 1;
      indices[code] = index;
      return index;
    },
  };
}

function listByNumber(): UsedStrings {
  const entries: string[] = [];
  if (lists === MAX_LISTS) {
    listOfNumber.fill(0);
    lists = 0;
  }
  const list = ++lists;
  return {
    entries,
    indicesOf,
    add({ strings: own, numbers }, code) {
      const number = numbers?.of[code] as number;
      if (number >= listOfNumber.length) growTo(number);
      if (listOfNumber[number] !== list) {
        listOfNumber[number] = list;
        indexOfNumber[number] = entries.push(own[code] as string) - 1;
      }
      const index = (indexOfNumber[number] as number) + 1;
      indices[code] = index;
      return index;
    },
  };
}

function growTo(number: number): void {
  const [wider, longer] = [new Int32Array(2 * number + 1), new Int32Array(2 * number + 1)];
  wider.set(indexOfNumber);
  longer.set(listOfNumber);
  indexOfNumber = wider;
  listOfNumber = longer;
}
