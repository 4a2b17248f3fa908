import type { Database } from 'better-sqlite3';
import { type Annotation, type AnnotationStore, MAX_ANNOTATIONS } from '../store.ts';
import { translating } from './translate-error.ts';

export function createAnnotationStore(database: Database): AnnotationStore {
  const touching = database.prepare<[{ from: number | null; to: number | null }], Annotation>(
    `SELECT id, at, until, text, target, host, author, created_at AS createdAt FROM annotation
     WHERE (@to IS NULL OR at < @to) AND (@from IS NULL OR coalesce(until, at) >= @from) ORDER BY at, id`,
  );
  const count = database.prepare<[], number>('SELECT count(*) FROM annotation').pluck();
  const insert = database.prepare(
    `INSERT INTO annotation (id, at, until, text, target, host, author, created_at)
     VALUES (@id, @at, @until, @text, @target, @host, @author, @createdAt)`,
  );
  const remove = database.prepare('DELETE FROM annotation WHERE id = ?');

  const add = database.transaction((annotation: Annotation) => {
    if ((count.get() ?? 0) >= MAX_ANNOTATIONS) return 'full' as const;
    insert.run(annotation);
    return 'written' as const;
  });

  return {
    async list(range) {
      return translating(() => touching.all(range));
    },
    async add(annotation) {
      return translating(() => add.immediate(annotation));
    },
    async remove(id) {
      return translating(() => remove.run(id)).changes > 0;
    },
  };
}
