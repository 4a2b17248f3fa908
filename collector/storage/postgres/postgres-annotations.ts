import { type Annotation, type AnnotationStore, MAX_ANNOTATIONS } from '../store.ts';
import type { Connections } from './connection-pool.ts';

export function createAnnotationStore({ query, transaction }: Connections): AnnotationStore {
  return {
    list: ({ from, to }) =>
      query<Annotation>(
        `SELECT id, at, until, text, target, host, author, created_at AS "createdAt" FROM lastbyte.annotation
         WHERE ($2::bigint IS NULL OR at < $2) AND ($1::bigint IS NULL OR coalesce(until, at) >= $1)
         ORDER BY at, id COLLATE "C"`,
        [from, to],
      ),
    add: ({ id, at, until, text, target, host, author, createdAt }) =>
      transaction(async (run) => {
        await run('LOCK TABLE lastbyte.annotation IN SHARE ROW EXCLUSIVE MODE');
        const [all] = await run<{ n: number }>('SELECT count(*)::integer AS n FROM lastbyte.annotation');
        if ((all?.n ?? 0) >= MAX_ANNOTATIONS) return 'full';
        await run(
          `INSERT INTO lastbyte.annotation (id, at, until, text, target, host, author, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, at, until, text, target, host, author, createdAt],
        );
        return 'written';
      }),
    async remove(id) {
      return (await query('DELETE FROM lastbyte.annotation WHERE id = $1 RETURNING id', [id])).length > 0;
    },
  };
}
