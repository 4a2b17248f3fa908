import { MAX_SAVED_VIEWS, type SavedView, type ViewStore } from '../store.ts';
import type { Connections } from './connection-pool.ts';

/** ASCII letters only, as the index saved_view_name has it. */
const FOLDED = 'lower(name COLLATE "C")';

export function createViewStore({ query, transaction }: Connections): ViewStore {
  return {
    list: () => query<SavedView>(`SELECT id, name, query, at, author FROM lastbyte.saved_view ORDER BY ${FOLDED}`),
    write: ({ id, name, query: address, at, author }) =>
      transaction(async (run) => {
        // Its limit and its names concern all rows.
        await run('LOCK TABLE lastbyte.saved_view IN SHARE ROW EXCLUSIVE MODE');
        const [others] = await run<{ taken: boolean | null; n: number }>(
          `SELECT count(*)::integer AS n, bool_or(${FOLDED} = lower($2 COLLATE "C")) AS taken
           FROM lastbyte.saved_view WHERE id <> $1`,
          [id, name],
        );
        if (others?.taken) return 'name_taken';
        if ((others?.n ?? 0) >= MAX_SAVED_VIEWS) return 'full';
        await run(
          `INSERT INTO lastbyte.saved_view (id, name, query, at, author) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (id) DO UPDATE SET name = $2, query = $3, at = $4, author = $5`,
          [id, name, address, at, author],
        );
        return 'written';
      }),
    async remove(id) {
      return (await query('DELETE FROM lastbyte.saved_view WHERE id = $1 RETURNING id', [id])).length > 0;
    },
  };
}
