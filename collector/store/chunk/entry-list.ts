import type { TextColumn } from '../../../shared/sample/sample-columns.ts';
import { EntryBook } from './entry-book.ts';

/** The entries of one text column of many batches, each once. */
export interface EntryList {
  readonly entries: readonly string[];
  /** Where the entries of one batch stand; what is new is put at the end. Valid until the next call. */
  placesOf(column: TextColumn): Int32Array;
}

/** By number: a place, and in which list it is one. Used again for every list: a `Map` is a slow look for each entry. */
let placeOf = new Int32Array(0);
let listOf = new Int32Array(0);
let lists = 0;
const MAX_LISTS = 2 ** 31 - 1;
/** By place in the dictionary of a batch. */
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

function listByText(): EntryList {
  const book = new EntryBook((entry: string) => entry);
  return { entries: book.entries, placesOf: (column) => Int32Array.from(book.placesOf(column.entries)) };
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
    placesOf({ entries: own, numbers }) {
      const of = numbers?.of ?? [];
      if (places.length < own.length) places = new Int32Array(2 * own.length);
      for (let code = 0; code < own.length; code++) {
        const number = of[code] as number;
        if (number >= listOf.length) makeRoomFor(number);
        if (listOf[number] !== list) {
          listOf[number] = list;
          placeOf[number] = entries.push(own[code] as string) - 1;
        }
        places[code] = placeOf[number] as number;
      }
      return places;
    },
  };
}

function makeRoomFor(number: number): void {
  const [wider, longer] = [new Int32Array(2 * number + 1), new Int32Array(2 * number + 1)];
  wider.set(placeOf);
  longer.set(listOf);
  placeOf = wider;
  listOf = longer;
}
