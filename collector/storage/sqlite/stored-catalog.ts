import type { Database } from 'better-sqlite3';
import { splitChunk } from '../columns/chunk-header.ts';
import {
  type CellCatalog,
  createCellCatalog,
  type NewCell,
  type NewString,
  type StoredClients,
} from '../rollups/cell-catalog.ts';
import { NO_WRITES, type StoreWrites } from './store-writes.ts';

export interface StoredCatalog {
  now(): CellCatalog;
  /** Reads it anew: numbers that were handed out and then not stored may by now be another process's. */
  forget(): void;
}

/** The catalog as it is stored, kept in memory by one thread and brought up to date before each use. */
export function createStoredCatalog(database: Database): StoredCatalog {
  const words = database.prepare<[number], NewString>('SELECT id, kind, text FROM word WHERE id > ? ORDER BY id');
  const cells = database.prepare<[number], number[]>('SELECT * FROM cell WHERE id > ? ORDER BY id').raw();
  const state = database.prepare<[], { revision: number; words: number; cells: number }>(
    `SELECT revision, (SELECT coalesce(max(id), 0) FROM word) AS words,
        (SELECT coalesce(max(id), 0) FROM cell) AS cells FROM state`,
  );
  const clients = createStoredClients(database);
  let catalog = createCellCatalog(clients);
  let revision = -1;

  return {
    now() {
      const stored = state.get();
      if (stored === undefined) throw new RangeError('The store has no state.');
      // Numbers that were handed out and then not stored must not be believed.
      const ahead = catalog.strings > stored.words || catalog.cells > stored.cells;
      if (ahead || stored.revision !== revision) catalog = createCellCatalog(clients);
      revision = stored.revision;
      // What a job numbered that failed, or wrote nothing.
      catalog.clients.takeNew();
      catalog.load(words.iterate(catalog.strings), cellRows(catalog.cells));
      return catalog;
    },
    forget() {
      catalog = createCellCatalog(clients);
    },
  };

  function* cellRows(after: number): Generator<NewCell> {
    for (const [id = 0, ...places] of cells.iterate(after)) yield { id, stringIds: places };
  }
}

/** Numbers that are forgotten at a time, since the writer takes in samples meanwhile. */
const CLIENTS_A_PASS = 5_000;

export function createStoredClients(database: Database): StoredClients {
  const find = database.prepare<[string], { id: number; lastDay: number }>(
    'SELECT id, last_day AS lastDay FROM client WHERE client = ?',
  );
  const textOf = database.prepare<[number], string>('SELECT client FROM client WHERE id = ?').pluck();
  const last = database.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'client'").pluck();
  return {
    find: (client) => find.get(client),
    textOf: (id) => textOf.get(id),
    last: () => last.get() ?? 0,
  };
}

/** Returns what forgets browsers that no stored sample is of any more, some at a time; null once there are none. */
export function createForgetClients(database: Database): (step: number) => StoreWrites | null {
  const chunks = database.prepare<[], Buffer>('SELECT bytes FROM chunk UNION ALL SELECT bytes FROM quarantine').pluck();
  const clients = database.prepare<[], { id: number; client: string }>('SELECT id, client FROM client ORDER BY id');

  return (step) => {
    const used = new Set<string>();
    for (const bytes of chunks.iterate()) for (const client of clientsIn(bytes)) used.add(client);
    const forgottenClients: number[] = [];
    for (const { id, client } of clients.iterate()) {
      if (used.has(client)) continue;
      forgottenClients.push(id);
      if (forgottenClients.length >= CLIENTS_A_PASS) break;
    }
    return forgottenClients.length === 0 ? null : { ...NO_WRITES, step, forgottenClients };
  };
}

function clientsIn(chunk: Uint8Array): string[] {
  try {
    return splitChunk(chunk).header.origins.map(({ client }) => client);
  } catch (error) {
    // A damaged chunk names nobody: it must not keep the ids of all others from being erased.
    if (error instanceof RangeError || error instanceof SyntaxError) return [];
    throw error;
  }
}
