import { CELL_DIMENSIONS, type CellDimension, type CellDimensions } from './cell-dimensions.ts';
import { type ClientNumbers, createClientNumbers, type NumberedClient, type StoredClients } from './client-numbers.ts';

/** `counter` names what packs of counters count. */
export type StringKind = CellDimension | 'counter';

export interface NewString {
  readonly id: number;
  readonly kind: StringKind;
  readonly text: string;
}

export interface NewCell {
  readonly id: number;
  /** Ids of its words in the order of CELL_DIMENSIONS; 0 where it has none. */
  readonly stringIds: readonly number[];
}

/**
 * Numbers for words, cells and browsers, 1 and up, as packs use them. What is new is handed out to be stored with those packs.
 * Words and cells are in memory, browsers are not.
 */
export interface CellCatalog {
  readonly clients: ClientNumbers;
  stringId(kind: StringKind, text: string): number;
  /** @param places ids of its words in the order of CELL_DIMENSIONS; 0 where it has none */
  cellOf(places: readonly number[]): number;
  /** The words of a cell; undefined where there is no such cell. */
  dimensionsOf(cell: number): CellDimensions | undefined;
  stringOf(id: number): string | undefined;
  /** Largest id of a cell. */
  readonly cells: number;
  readonly strings: number;
  load(strings: Iterable<NewString>, cells: Iterable<NewCell>): void;
  /** What was numbered since it was last taken. */
  takeNew(): { strings: NewString[]; cells: NewCell[]; clients: NumberedClient[] };
}

export function createCellCatalog(stored?: StoredClients): CellCatalog {
  const clients = createClientNumbers(stored);
  const ids = new Map<string, number>();
  const texts: (string | undefined)[] = [undefined];
  const cellIds = new Map<string, number>();
  const cells: (CellDimensions | undefined)[] = [undefined];
  let newStrings: NewString[] = [];
  let newCells: NewCell[] = [];

  function wordId(kind: StringKind, given: string): number {
    // As it will be read back: SQLite stores UTF-8, and an older chunk may hold half of a surrogate pair.
    const text = given.toWellFormed();
    const key = `${kind}\n${text}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = texts.push(text) - 1;
    ids.set(key, id);
    newStrings.push({ id, kind, text });
    return id;
  }

  function wordsAt(places: readonly number[]): CellDimensions {
    return Object.fromEntries(
      CELL_DIMENSIONS.map((name, place) => [name, texts[places[place] as number] ?? null]),
    ) as CellDimensions;
  }

  return {
    clients,
    stringId: wordId,
    cellOf(places) {
      const key = places.join();
      const known = cellIds.get(key);
      if (known !== undefined) return known;
      const id = cells.push(wordsAt(places)) - 1;
      cellIds.set(key, id);
      newCells.push({ id, stringIds: places });
      return id;
    },
    dimensionsOf: (cell) => cells[cell],
    stringOf: (id) => texts[id],
    get cells() {
      return cells.length - 1;
    },
    get strings() {
      return texts.length - 1;
    },
    load(strings, stored) {
      for (const { id, kind, text } of strings) {
        texts[id] = text;
        ids.set(`${kind}\n${text}`, id);
      }
      for (const { id, stringIds: places } of stored) {
        cells[id] = wordsAt(places);
        cellIds.set(places.join(), id);
      }
    },
    takeNew() {
      const taken = { strings: newStrings, cells: newCells, clients: clients.takeNew() };
      newStrings = [];
      newCells = [];
      return taken;
    },
  };
}
