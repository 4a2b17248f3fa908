import type { ClientNumbers } from '../rollups/client-numbers.ts';
import type { RowWords } from './row-words.ts';

/** Instead of a place. */
export const NOT_COUNTED = -1;
const NOT_ASKED = -2;
/** Numbers that are looked up without growing. */
const FIRST_NUMBERS = 1024;

/** A place from 0 on for each browser that counts, whether a pack names it by its number or a row by its id. */
export interface ClientPlaces {
  /** NOT_COUNTED where it does not count */
  ofNumber(client: number): number;
  /** Calls `add` for what rows have both a group and a browser, at least once each. @param groups per row, −1 for none */
  eachOfRows(clients: RowWords, groups: Int32Array, add: (group: number, place: number) => void): void;
  readonly size: number;
}

/** @param counts null where all do, which saves looking up the id that belongs to a number */
export function createClientPlaces(clients: ClientNumbers, counts: ((client: string) => boolean) | null): ClientPlaces {
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
    eachOfRows({ codes, words }, groups, add) {
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
