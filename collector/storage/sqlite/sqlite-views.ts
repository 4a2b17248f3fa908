import type { Database } from 'better-sqlite3';
import { MAX_SAVED_VIEWS, type SavedView, type ViewStore } from '../store.ts';
import { translating } from './translate-error.ts';

export function createViewStore(database: Database): ViewStore {
  const all = database.prepare<[], SavedView>('SELECT id, name, query, at, author FROM saved_view ORDER BY name');
  const named = database.prepare<[name: string, id: string], string>(
    'SELECT id FROM saved_view WHERE name = ? AND id <> ?',
  );
  const others = database.prepare<[id: string], number>('SELECT count(*) FROM saved_view WHERE id <> ?').pluck();
  const put = database.prepare(
    'INSERT OR REPLACE INTO saved_view (id, name, query, at, author) VALUES (@id, @name, @query, @at, @author)',
  );
  const remove = database.prepare('DELETE FROM saved_view WHERE id = ?');

  const write = database.transaction((view: SavedView) => {
    if (named.get(view.name, view.id) !== undefined) return 'name_taken' as const;
    if ((others.get(view.id) ?? 0) >= MAX_SAVED_VIEWS) return 'full' as const;
    put.run(view);
    return 'written' as const;
  });

  return {
    async list() {
      return translating(() => all.all());
    },
    async write(view) {
      return translating(() => write.immediate(view));
    },
    async remove(id) {
      return translating(() => remove.run(id)).changes > 0;
    },
  };
}
