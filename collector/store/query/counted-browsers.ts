import type { CellCatalog } from '../rollup/cell-catalog.ts';
import type { BrowserSets } from './browser-sets.ts';

const NOT_COUNTED = -1;
const NOT_ASKED = -2;

/**
 * The browsers behind each group that count towards showing it, up to as many as are needed: only whether there are enough
 * matters, and groups may be many.
 */
export function createCountedBrowsers(
  catalog: CellCatalog,
  enough: number,
  counts: (client: string) => boolean,
): BrowserSets {
  const places = new Map<string, number>();
  const placeOfClient = new Int32Array(catalog.words + 1).fill(NOT_ASKED);
  const lists: number[][] = [];

  function placeOf(text: string): number {
    const known = places.get(text);
    if (known !== undefined) return known;
    const place = counts(text) ? places.size : NOT_COUNTED;
    places.set(text, place);
    return place;
  }

  function add(group: number, place: number): void {
    if (place === NOT_COUNTED) return;
    while (lists.length <= group) lists.push([]);
    const list = lists[group] as number[];
    if (list.length < enough && !list.includes(place)) list.push(place);
  }

  return {
    addClient(group, client) {
      let place = placeOfClient[client] ?? NOT_ASKED;
      if (place === NOT_ASKED) {
        place = placeOf(catalog.textOf(client) ?? '');
        placeOfClient[client] = place;
      }
      add(group, place);
    },
    addRows({ codes, words }, groups) {
      const own = Int32Array.from(words, placeOf);
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
