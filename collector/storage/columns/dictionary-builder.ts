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

/** By code of the current batch. */
let indices = new Int32Array(0);

function indicesOf({ strings }: TextColumn): Int32Array {
  if (indices.length < strings.length) indices = new Int32Array(2 * strings.length);
  else indices.fill(0, 0, strings.length);
  return indices;
}

export function usedStrings(): UsedStrings {
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
