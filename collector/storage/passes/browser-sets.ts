import { onceEach } from '../../lib/once.ts';
import type { CellCatalog, ClientNumbers } from '../rollups/cell-catalog.ts';
import type { DimensionColumn } from './dimension-column.ts';

/** Rollup blocks name a browser by its number, rows by its id. */
export interface BrowserCollector {
  /** @param client its number in rollup blocks @param month see `calendarMonth` */
  addClient(group: number, client: number, month: number): void;
  /** @param groups per row, −1 for none @param at times of the rows */
  addRows(clients: DimensionColumn, groups: Int32Array, at: () => ArrayLike<number>): void;
}

/** The distinct browsers of each group. */
export interface BrowserSets extends BrowserCollector {
  size(group: number): number;
  /** Distinct browsers of all these groups together. */
  sizeOfAll(groups: Iterable<number>): number;
}

/** In place of an index. */
const NOT_COUNTED = -1;
const NOT_ASKED = -2;
/** The initial size of the table by number. */
const FIRST_NUMBERS = 1024;

/** Consecutive indices for the browsers that count, looked up by number or by id. */
export interface ClientIndices {
  /** NOT_COUNTED if it does not count */
  ofNumber(client: number): number;
  ofText(client: string): number;
  /** Calls `add` at least once for each pair of group and browser of the rows. @param groups per row, −1 for none */
  eachOfRows(clients: DimensionColumn, groups: Int32Array, add: (group: number, index: number) => void): void;
}

/** @param counts null if all do, which saves looking up the id of each number */
export function numberClients(clients: ClientNumbers, counts: ((client: string) => boolean) | null): ClientIndices {
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
    ofText,
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
