import type { CellCatalog, ClientNumbers } from '../rollups/cell-catalog.ts';
import type { DimensionColumn } from './dimension-column.ts';

const BITS = 32;

/** The browsers behind each group, a bit for each: what a pack of browsers names is told by its number, not by its text. */
export interface BrowserSets {
  /** @param client number, as packs have it */
  addClient(group: number, client: number): void;
  /** @param groups per row, −1 for none */
  addRows(clients: DimensionColumn, groups: Int32Array): void;
  size(group: number): number;
  /** Of all these groups together. */
  sizeOfAll(groups: Iterable<number>): number;
}

export function createBrowserSets({ clients }: Pick<CellCatalog, 'clients'>): BrowserSets {
  const places = createClientPlaces(clients, null);
  const sets: Uint32Array[] = [];

  function add(group: number, place: number): void {
    const word = Math.floor(place / BITS);
    while (sets.length <= group) sets.push(new Uint32Array(1));
    let set = sets[group] as Uint32Array;
    if (word >= set.length) {
      const grown = new Uint32Array(Math.max(word + 1, set.length * 2));
      grown.set(set);
      set = grown;
      sets[group] = set;
    }
    set[word] = (set[word] as number) | (1 << (place % BITS));
  }

  return {
    addClient: (group, client) => add(group, places.ofNumber(client)),
    addRows: (rows, groups) => places.eachOfRows(rows, groups, add),
    size: (group) => ones(sets[group] ?? []),
    sizeOfAll(groups) {
      const all = new Uint32Array(Math.ceil(places.size / BITS));
      for (const group of groups) {
        const set = sets[group];
        for (let word = 0; set !== undefined && word < Math.min(set.length, all.length); word++) {
          all[word] = (all[word] as number) | (set[word] as number);
        }
      }
      return ones(all);
    },
  };
}

function ones(set: ArrayLike<number>): number {
  let count = 0;
  for (let word = 0; word < set.length; word++) {
    for (let bits = set[word] as number; bits !== 0; bits &= bits - 1) count++;
  }
  return count;
}

/** Instead of a place. */
const NOT_COUNTED = -1;
const NOT_ASKED = -2;
/** Numbers that are looked up without growing. */
const FIRST_NUMBERS = 1024;

/** A place from 0 on for each browser that counts, whether a pack names it by its number or a row by its id. */
export interface ClientPlaces {
  /** NOT_COUNTED where it does not count */
  ofNumber(client: number): number;
  /** Calls `add` for what rows have both a group and a browser, at least once each. @param groups per row, −1 for none */
  eachOfRows(clients: DimensionColumn, groups: Int32Array, add: (group: number, place: number) => void): void;
  readonly size: number;
}

/** @param counts null where all do, which saves looking up the id that belongs to a number */
function createClientPlaces(clients: ClientNumbers, counts: ((client: string) => boolean) | null): ClientPlaces {
  const byText = new Map<string, number>();
  let byNumber = new Int32Array(FIRST_NUMBERS).fill(NOT_ASKED);
  let size = 0;

  function ofNumber(client: number): number {
    const known = byNumber[client] ?? NOT_ASKED;
    if (known !== NOT_ASKED) return known;
    if (client >= byNumber.length) {
      const grown = new Int32Array(Math.max(client + 1, 2 * byNumber.length)).fill(NOT_ASKED);
      grown.set(byNumber);
      byNumber = grown;
    }
    const place = counts === null || counts(clients.textOf(client) ?? '') ? size++ : NOT_COUNTED;
    byNumber[client] = place;
    return place;
  }

  function ofText(text: string): number {
    const known = byText.get(text);
    if (known !== undefined) return known;
    const client = clients.find(text);
    // Samples that no rollup covers yet may be all there is of a browser.
    const place = client !== undefined ? ofNumber(client) : counts === null || counts(text) ? size++ : NOT_COUNTED;
    byText.set(text, place);
    return place;
  }

  return {
    ofNumber,
    eachOfRows({ codes, strings: words }, groups, add) {
      const own = Int32Array.from(words, ofText);
      // Neighbours are mostly of one page, and of one browser.
      let before = -1;
      let beforeGroup = -1;
      for (let row = 0; row < groups.length; row++) {
        const group = groups[row] as number;
        const code = codes[row] as number;
        if (group < 0 || code < 0 || (group === beforeGroup && code === before)) continue;
        add(group, own[code] as number);
        before = code;
        beforeGroup = group;
      }
    },
    get size() {
      return size;
    },
  };
}

/**
 * The browsers behind each group that count towards showing it, up to as many as are needed: only whether there are enough
 * matters, and groups may be many.
 */
export function createCountedBrowsers(
  { clients }: Pick<CellCatalog, 'clients'>,
  enough: number,
  counts: (client: string) => boolean,
): BrowserSets {
  const places = createClientPlaces(clients, counts);
  const lists: number[][] = [];

  function add(group: number, place: number): void {
    if (place === NOT_COUNTED) return;
    while (lists.length <= group) lists.push([]);
    const list = lists[group] as number[];
    if (list.length < enough && !list.includes(place)) list.push(place);
  }

  return {
    addClient: (group, client) => add(group, places.ofNumber(client)),
    addRows: (rows, groups) => places.eachOfRows(rows, groups, add),
    size: (group) => lists[group]?.length ?? 0,
    sizeOfAll(groups) {
      const all = new Set<number>();
      for (const group of groups) {
        for (const place of lists[group] ?? []) all.add(place);
        if (all.size >= enough) break;
      }
      return all.size;
    },
  };
}
