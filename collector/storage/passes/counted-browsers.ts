import type { CellCatalog } from '../rollups/cell-catalog.ts';
import type { BrowserSets } from './browser-sets.ts';
import { createClientPlaces, NOT_COUNTED } from './client-places.ts';

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
