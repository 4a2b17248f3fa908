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
  /** Discards numbers that were assigned but not stored: another process may have used them. */
  forget(): void;
}

/** The stored catalog, kept in memory by one thread and updated before each use. */
export function createStoredCatalog(database: Database): StoredCatalog {
  const strings = database.prepare<[number], NewString>('SELECT id, kind, text FROM word WHERE id > ? ORDER BY id');
  const cells = database.prepare<[number], number[]>('SELECT * FROM cell WHERE id > ? ORDER BY id').raw();
  const state = database.prepare<[], { revision: number; strings: number; cells: number }>(
    `SELECT revision, (SELECT coalesce(max(id), 0) FROM word) AS strings,
        (SELECT coalesce(max(id), 0) FROM cell) AS cells FROM state`,
  );
  const clients = createStoredClients(database);
  let catalog = createCellCatalog(clients);
  let revision = -1;

  return {
    now() {
      const stored = state.get();
      if (stored === undefined) throw new RangeError('The store has no state.');
      // Numbers that were assigned but not stored are invalid.
      const ahead = catalog.strings > stored.strings || catalog.cells > stored.cells;
      if (ahead || stored.revision !== revision) catalog = createCellCatalog(clients);
      revision = stored.revision;
      // Left by a job that failed or wrote nothing.
      catalog.clients.takeNew();
      catalog.load(strings.iterate(catalog.strings), cellRows(catalog.cells));
      return catalog;
    },
    forget() {
      catalog = createCellCatalog(clients);
    },
  };

  function* cellRows(after: number): Generator<NewCell> {
    for (const [id = 0, ...stringIds] of cells.iterate(after)) yield { id, stringIds };
  }
}

/** Numbers removed per pass, because ingestion goes on in between. */
const CLIENTS_A_PASS = 5_000;

function createStoredClients(database: Database): StoredClients {
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

/** @returns removes some browsers that have no stored samples; null once there are none */
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
    // A damaged chunk must not prevent the ids of all others from being erased.
    if (error instanceof RangeError || error instanceof SyntaxError) return [];
    throw error;
  }
}
