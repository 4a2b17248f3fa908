import { onceEach } from '../../lib/once.ts';
import type { CellCatalog, ClientNumbers } from '../rollups/cell-catalog.ts';
import type { DimensionColumn } from './dimension-column.ts';

const BITS = 32;

/** The distinct browsers of each group. Rollup blocks name a browser by its number, rows by its id. */
export interface BrowserSets {
  /** @param client its number in rollup blocks */
  addClient(group: number, client: number): void;
  /** @param groups per row, −1 for none */
  addRows(clients: DimensionColumn, groups: Int32Array): void;
  size(group: number): number;
  /** Distinct browsers of all these groups together. */
  sizeOfAll(groups: Iterable<number>): number;
}

/** Keeps one bit per browser and group. */
export function createBrowserSets({ clients }: Pick<CellCatalog, 'clients'>): BrowserSets {
  const indices = numberClients(clients, null);
  const sets: Uint32Array[] = [];

  function add(group: number, index: number): void {
    const word = Math.floor(index / BITS);
    while (sets.length <= group) sets.push(new Uint32Array(1));
    let set = sets[group] as Uint32Array;
    if (word >= set.length) {
      const grown = new Uint32Array(Math.max(word + 1, set.length * 2));
      grown.set(set);
      set = grown;
      sets[group] = set;
    }
    set[word] = (set[word] as number) | (1 << (index % BITS));
  }

  return {
    addClient: (group, client) => add(group, indices.ofNumber(client)),
    addRows: (rows, groups) => indices.eachOfRows(rows, groups, add),
    size: (group) => ones(sets[group] ?? []),
    sizeOfAll(groups) {
      const all = new Uint32Array(Math.ceil(indices.size / BITS));
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

/** In place of an index. */
const NOT_COUNTED = -1;
const NOT_ASKED = -2;
/** The initial size of the table by number. */
const FIRST_NUMBERS = 1024;

/** Consecutive indices for the browsers that count, looked up by number or by id. */
interface ClientIndices {
  /** NOT_COUNTED if it does not count */
  ofNumber(client: number): number;
  /** Calls `add` at least once for each pair of group and browser of the rows. @param groups per row, −1 for none */
  eachOfRows(clients: DimensionColumn, groups: Int32Array, add: (group: number, index: number) => void): void;
  readonly size: number;
}

/** @param counts null if all do, which saves looking up the id of each number */
function numberClients(clients: ClientNumbers, counts: ((client: string) => boolean) | null): ClientIndices {
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
    const index = counts === null || counts(clients.textOf(client) ?? '') ? size++ : NOT_COUNTED;
    byNumber[client] = index;
    return index;
  }

  function ofText(text: string): number {
    const known = byText.get(text);
    if (known !== undefined) return known;
    const client = clients.find(text);
    // A browser may have no number yet if no rollup covers its samples.
    const index = client !== undefined ? ofNumber(client) : counts === null || counts(text) ? size++ : NOT_COUNTED;
    byText.set(text, index);
    return index;
  }

  return {
    ofNumber,
    eachOfRows({ codes, strings }, groups, add) {
      const own = Int32Array.from(strings, ofText);
      // Neighbouring rows are mostly of one page and one browser.
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
 * Makes sets of the browsers of each group that count towards showing it, at most `enough` of them: groups may be many, and
 * only whether there are enough matters.
 */
export function createCountedBrowsers(
  { clients }: Pick<CellCatalog, 'clients'>,
  enough: number,
  counts: (client: string) => boolean,
): () => BrowserSets {
  // Looked up once a question: each way of grouping reads the same browsers.
  const known = { ...clients, textOf: onceEach(clients.textOf) };
  return () => countedBrowsers(known, enough, counts);
}

function countedBrowsers(clients: ClientNumbers, enough: number, counts: (client: string) => boolean): BrowserSets {
  const indices = numberClients(clients, counts);
  const lists: number[][] = [];

  function add(group: number, index: number): void {
    if (index === NOT_COUNTED) return;
    while (lists.length <= group) lists.push([]);
    const list = lists[group] as number[];
    if (list.length < enough && !list.includes(index)) list.push(index);
  }

  return {
    addClient: (group, client) => add(group, indices.ofNumber(client)),
    addRows: (rows, groups) => indices.eachOfRows(rows, groups, add),
    size: (group) => lists[group]?.length ?? 0,
    sizeOfAll(groups) {
      const all = new Set<number>();
      for (const group of groups) {
        for (const index of lists[group] ?? []) all.add(index);
        if (all.size >= enough) break;
      }
      return all.size;
    },
  };
}
