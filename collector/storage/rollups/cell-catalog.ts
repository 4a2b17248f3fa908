import { CELL_DIMENSIONS, type CellDimension, type CellDimensions } from './cell-dimensions.ts';

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

/** A browser's id and the number that packs have for it. */
export interface NumberedClient {
  readonly id: number;
  readonly client: string;
  /** Newest day with samples of it, days since 1970 (UTC): behind that day's samples nobody needs the id any more. */
  readonly lastDay: number;
}

/** Where numbers are stored. They are asked for one at a time: there may be millions, and few matter at once. */
export interface StoredClients {
  find(client: string): Omit<NumberedClient, 'client'> | undefined;
  textOf(id: number): string | undefined;
  /** The largest number that was ever given, to one that is gone too: packs may still have it. */
  last(): number;
}

export interface ClientNumbers {
  /** For a rollup: numbers the browser if need be. @param day that it has samples of */
  numberOf(client: string, day: number): number;
  /** undefined where no rollup has it */
  find(client: string): number | undefined;
  /** undefined where the id was erased, or is older than all samples */
  textOf(id: number): string | undefined;
  /** What was numbered, or seen on a later day, since it was last taken. */
  takeNew(): NumberedClient[];
}

const NONE_STORED: StoredClients = { find: () => undefined, textOf: () => undefined, last: () => 0 };

function createClientNumbers(stored: StoredClients = NONE_STORED): ClientNumbers {
  const changed = new Map<string, NumberedClient>();
  let last = 0;

  return {
    numberOf(client, day) {
      const known = changed.get(client) ?? stored.find(client);
      if (known !== undefined && known.lastDay >= day) return known.id;
      if (known === undefined) last = Math.max(last, stored.last()) + 1;
      const id = known?.id ?? last;
      changed.set(client, { id, client, lastDay: day });
      return id;
    },
    find: (client) => stored.find(client)?.id,
    textOf: (id) => stored.textOf(id),
    takeNew() {
      const taken = [...changed.values()];
      changed.clear();
      last = 0;
      return taken;
    },
  };
}
