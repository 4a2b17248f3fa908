import type { Database } from 'better-sqlite3';
import { CONTROL_TABLES, type OwnControl } from '../local-store.ts';
import { COPY_NAMES } from './control-copy.ts';
import { CLOCK_NAME } from './key-value-state.ts';
import { translating } from './translate-error.ts';

/** See LocalStore. Leaves out what concerns this folder alone. */
export function readOwnControl(database: Database): OwnControl | null {
  const rows = (table: string) => database.prepare<[], { readonly name?: string }>(`SELECT * FROM ${table}`).all();
  const stays: ReadonlySet<string | undefined> = new Set([...COPY_NAMES, CLOCK_NAME]);
  const read = database.transaction((): OwnControl | null => {
    const found = Object.fromEntries(CONTROL_TABLES.map((table) => [table, rows(table)])) as Record<
      keyof OwnControl,
      { readonly name?: string }[]
    >;
    if (found.settings.length === 0 && found.token.length === 0) return null;
    return { ...found, kept: found.kept.filter(({ name }) => !stays.has(name)) };
  });
  return translating(() => read());
}
