import type { Store } from '../../collector/storage/store.ts';
import type { Retention } from '../../shared/settings/read-retention.ts';

/** As many passes as there is something left to remove: each takes one day. */
export async function pruneAll({ maintenance }: Store, now: number, retention: Retention): Promise<void> {
  let before = '';
  for (;;) {
    await maintenance.prune(now, retention);
    const after = JSON.stringify([await maintenance.keptFrom(), await maintenance.sizes()]);
    if (after === before) return;
    before = after;
  }
}
