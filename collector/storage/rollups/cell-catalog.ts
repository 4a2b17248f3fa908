import { CELL_DIMENSIONS, type CellDimension, type CellDimensions } from './cell-dimensions.ts';

/** `counter` strings name what the block of counters counts. */
export type StringKind = CellDimension | 'counter';

export interface NewString {
  readonly id: number;
  readonly kind: StringKind;
  readonly text: string;
}

export interface NewCell {
  readonly id: number;
  /** In the order of CELL_DIMENSIONS; 0 for none. */
  readonly stringIds: readonly number[];
}

/**
 * Numbers strings, cells and browsers, from 1 on, for use in rollup blocks. New numbers have to be stored together with those
 * blocks. Strings and cells are in memory, browsers are not.
 */
export interface CellCatalog {
  readonly clients: ClientNumbers;
  stringId(kind: StringKind, text: string): number;
  /** @param stringIds in the order of CELL_DIMENSIONS; 0 for none */
  cellOf(stringIds: readonly number[]): number;
  /** undefined if there is no such cell. */
  dimensionsOf(cell: number): CellDimensions | undefined;
  stringOf(id: number): string | undefined;
  /** Largest id of a cell. */
  readonly cells: number;
  readonly strings: number;
  load(strings: Iterable<NewString>, cells: Iterable<NewCell>): void;
  /** The numbers assigned since the last call. */
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

  function stringId(kind: StringKind, given: string): number {
    // As it will be read back: SQLite stores UTF-8, and an older chunk may hold a lone surrogate.
    const text = given.toWellFormed();
    const key = `${kind}\n${text}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = texts.push(text) - 1;
    ids.set(key, id);
    newStrings.push({ id, kind, text });
    return id;
  }

  function dimensionsAt(stringIds: readonly number[]): CellDimensions {
    return Object.fromEntries(
      CELL_DIMENSIONS.map((name, index) => [name, texts[stringIds[index] as number] ?? null]),
    ) as CellDimensions;
  }

  return {
    clients,
    stringId,
    cellOf(stringIds) {
      const key = stringIds.join();
      const known = cellIds.get(key);
      if (known !== undefined) return known;
      const id = cells.push(dimensionsAt(stringIds)) - 1;
      cellIds.set(key, id);
      newCells.push({ id, stringIds });
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
      for (const { id, stringIds } of stored) {
        cells[id] = dimensionsAt(stringIds);
        cellIds.set(stringIds.join(), id);
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

/** A browser's id and its number in rollup blocks. */
export interface NumberedClient {
  readonly id: number;
  readonly client: string;
  /** Newest day with its samples, days since 1970 (UTC): the id is not needed longer than those samples. */
  readonly lastDay: number;
}

/** The stored numbers, looked up one at a time: there may be millions, of which few are needed at a time. */
export interface StoredClients {
  find(client: string): Omit<NumberedClient, 'client'> | undefined;
  textOf(id: number): string | undefined;
  /** The largest number ever assigned, including removed browsers, which blocks may still contain. */
  last(): number;
}

export interface ClientNumbers {
  /** For rollups: assigns a number to a new browser. @param day a day with samples from it */
  numberOf(client: string, day: number): number;
  /** undefined if no rollup has it. */
  find(client: string): number | undefined;
  /** undefined if the id was erased, or is older than all samples. */
  textOf(id: number): string | undefined;
  /** Browsers that were numbered, or seen on a later day, since the last call. */
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
