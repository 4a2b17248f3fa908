import type { Database } from 'better-sqlite3';
import { type CellCatalog, createCellCatalog, type NewCell, type NewString } from '../rollups/cell-catalog.ts';
import { createStoredClients } from './stored-clients.ts';

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
