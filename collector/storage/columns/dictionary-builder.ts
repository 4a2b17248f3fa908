import type { TextColumn } from '../../../shared/sample/sample-columns.ts';

/** One list of the entries of many parts, each entry once. */
export class DictionaryBuilder<T> {
  readonly entries: T[] = [];
  private readonly known = new Map<string, number>();
  private readonly keyOf: (entry: T) => string;

  /** @param keyOf the same for the same entry */
  constructor(keyOf: (entry: T) => string) {
    this.keyOf = keyOf;
  }

  /** Where the entries of one part stand; what is new is put at the end. */
  indicesOf(part: readonly T[]): number[] {
    return part.map((entry) => this.indexOf(entry));
  }

  indexOf(entry: T): number {
    const key = this.keyOf(entry);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const place = this.entries.push(entry) - 1;
    this.known.set(key, place);
    return place;
  }
}

/**
 * The entries of one text column of many batches: each once, and only those that a row uses. What a dictionary holds beside
 * them costs its sender next to nothing, and would be stored and merged for as long as the samples are kept.
 */
export interface EntryList {
  readonly entries: readonly string[];
  /** By code in this batch's dictionary: one more than the entry's index, 0 until `add`. Valid until the next call. */
  placesOf(column: TextColumn): Int32Array;
  /** Puts an entry of that batch at the end unless it is there. Returns its place, which `placesOf` has from then on. */
  add(column: TextColumn, code: number): number;
}

/** By number: an index, and of which list. Reused for every list: a `Map` is a slow lookup for each entry. */
let indexOf = new Int32Array(0);
let listOf = new Int32Array(0);
let lists = 0;
const MAX_LISTS = 2 ** 31 - 1;
/** By code in the dictionary of a batch. */
let places = new Int32Array(0);

/**
 * An empty list for these columns, by the numbers of their entries where all have numbers of one edition. One list is
 * finished before the next is begun.
 */
export function entryList(columns: readonly (TextColumn | undefined)[]): EntryList {
  return haveNumbers(columns) ? listByNumber() : listByText();
}

function haveNumbers(columns: readonly (TextColumn | undefined)[]): boolean {
  let edition: number | undefined;
  for (const column of columns) {
    if (column === undefined) continue;
    if (column.numbers === undefined) return false;
    edition ??= column.numbers.edition;
    if (column.numbers.edition !== edition) return false;
  }
  return true;
}

function placesOf({ entries }: TextColumn): Int32Array {
  if (places.length < entries.length) places = new Int32Array(2 * entries.length);
  else places.fill(0, 0, entries.length);
  return places;
}

function listByText(): EntryList {
  const book = new DictionaryBuilder((entry: string) => entry);
  return {
    entries: book.entries,
    placesOf,
    add({ entries }, code) {
      const place = book.indexOf(entries[code] as string) + 1;
      places[code] = place;
      return place;
    },
  };
}

function listByNumber(): EntryList {
  const entries: string[] = [];
  if (lists === MAX_LISTS) {
    listOf.fill(0);
    lists = 0;
  }
  const list = ++lists;
  return {
    entries,
    placesOf,
    add({ entries: own, numbers }, code) {
      const number = numbers?.of[code] as number;
      if (number >= listOf.length) makeRoomFor(number);
      if (listOf[number] !== list) {
        listOf[number] = list;
        indexOf[number] = entries.push(own[code] as string) - 1;
      }
      const place = (indexOf[number] as number) + 1;
      places[code] = place;
      return place;
    },
  };
}

function makeRoomFor(number: number): void {
  const [wider, longer] = [new Int32Array(2 * number + 1), new Int32Array(2 * number + 1)];
  wider.set(indexOf);
  longer.set(listOf);
  indexOf = wider;
  listOf = longer;
}
