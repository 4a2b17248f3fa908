import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { createClientPlaces } from './client-places.ts';
import type { RowWords } from './row-words.ts';

const BITS = 32;

/** The browsers behind each group, a bit for each: what a pack of browsers names is told by its number, not by its text. */
export interface BrowserSets {
  /** @param client number, as packs have it */
  addClient(group: number, client: number): void;
  /** @param groups per row, −1 for none */
  addRows(clients: RowWords, groups: Int32Array): void;
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
