import { CELL_DIMENSIONS, type CellDimension, type CellWords } from './cell-dimensions.ts';
import { type ClientNumbers, createClientNumbers, type NumberedClient, type StoredClients } from './client-numbers.ts';

/** `counter` names what packs of counters count. */
export type WordKind = CellDimension | 'counter';

export interface NewWord {
  readonly id: number;
  readonly kind: WordKind;
  readonly text: string;
}

export interface NewCell {
  readonly id: number;
  /** Ids of its words in the order of CELL_DIMENSIONS; 0 where it has none. */
  readonly words: readonly number[];
}

/**
 * Numbers for words, cells and browsers, 1 and up, as packs use them. What is new is handed out to be stored with those packs.
 * Words and cells are in memory, browsers are not.
 */
export interface CellCatalog {
  readonly clients: ClientNumbers;
  wordId(kind: WordKind, text: string): number;
  /** @param places ids of its words in the order of CELL_DIMENSIONS; 0 where it has none */
  cellOf(places: readonly number[]): number;
  /** The words of a cell; undefined where there is no such cell. */
  wordsOf(cell: number): CellWords | undefined;
  textOf(id: number): string | undefined;
  /** Largest id of a cell. */
  readonly cells: number;
  readonly words: number;
  load(words: Iterable<NewWord>, cells: Iterable<NewCell>): void;
  /** What was numbered since it was last taken. */
  takeNew(): { words: NewWord[]; cells: NewCell[]; clients: NumberedClient[] };
}

export function createCellCatalog(stored?: StoredClients): CellCatalog {
  const clients = createClientNumbers(stored);
  const ids = new Map<string, number>();
  const texts: (string | undefined)[] = [undefined];
  const cellIds = new Map<string, number>();
  const cells: (CellWords | undefined)[] = [undefined];
  let newWords: NewWord[] = [];
  let newCells: NewCell[] = [];

  function wordId(kind: WordKind, given: string): number {
    // As it will be read back: SQLite stores UTF-8, and an older chunk may hold half of a surrogate pair.
    const text = given.toWellFormed();
    const key = `${kind}\n${text}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = texts.push(text) - 1;
    ids.set(key, id);
    newWords.push({ id, kind, text });
    return id;
  }

  function wordsAt(places: readonly number[]): CellWords {
    return Object.fromEntries(
      CELL_DIMENSIONS.map((name, place) => [name, texts[places[place] as number] ?? null]),
    ) as CellWords;
  }

  return {
    clients,
    wordId,
    cellOf(places) {
      const key = places.join();
      const known = cellIds.get(key);
      if (known !== undefined) return known;
      const id = cells.push(wordsAt(places)) - 1;
      cellIds.set(key, id);
      newCells.push({ id, words: places });
      return id;
    },
    wordsOf: (cell) => cells[cell],
    textOf: (id) => texts[id],
    get cells() {
      return cells.length - 1;
    },
    get words() {
      return texts.length - 1;
    },
    load(words, stored) {
      for (const { id, kind, text } of words) {
        texts[id] = text;
        ids.set(`${kind}\n${text}`, id);
      }
      for (const { id, words: places } of stored) {
        cells[id] = wordsAt(places);
        cellIds.set(places.join(), id);
      }
    },
    takeNew() {
      const taken = { words: newWords, cells: newCells, clients: clients.takeNew() };
      newWords = [];
      newCells = [];
      return taken;
    },
  };
}
