import type { LocalState } from './local-state.ts';
import { isPendingKey } from './pending-groups.ts';
import type { KeyValueStorage } from './state-store.ts';

/** Version of the state, apart from the queue. Raise it with a step in `migrateState` whenever the shape of a value changes. */
export const STATE_VERSION = 4;
/** Version 3 had the state in storage.local. */
const LAST_IN_STORAGE = 3;
const VERSION_KEY = 'stateVersion';

/** A pause this version cannot read must not turn into measuring. */
const FOR_GOOD = { until: 'forever', from: 0 };

type Name = keyof LocalState | 'policy';

/** Of another or unreadable state: what this version can check on its own. The collector supplies the rest again. */
const CHECKABLE: readonly Name[] = ['enrolment', 'policy', 'paused'];
const ALL: readonly Name[] = [
  ...CHECKABLE,
  'names',
  'registered',
  'settings',
  'poll',
  'client',
  'delivery',
  'answered',
  'lost',
  'pauses',
  'sent',
  'told',
  'probes',
];

/**
 * Brings the state to this version's shape before anything else reads it. What an older version left in storage.local is
 * moved once: from then on the version is in `state`, and whatever a page's process writes under the same names has no
 * effect. A background that dies halfway starts again from the old version.
 */
export async function migrateState(state: KeyValueStorage, local: KeyValueStorage): Promise<void> {
  const found = (await state.get(VERSION_KEY))[VERSION_KEY];
  if (found === STATE_VERSION) return;
  const from = found === undefined ? local : state;
  const items = await from.get(null);
  const isKnown = found === undefined && items[VERSION_KEY] === LAST_IN_STORAGE;
  const kept = isKnown ? ALL : CHECKABLE;
  const moved = Object.fromEntries(kept.flatMap((name) => (name in items ? [[name, items[name]]] : [])));
  if (!isKnown && moved.paused) moved.paused = FOR_GOOD;
  if (from === state) await state.remove(Object.keys(items).filter((name) => !(name in moved)));
  // On disk before the only other copy goes.
  await state.set({ ...moved, [VERSION_KEY]: STATE_VERSION }, 'strict');
  if (from === local) await local.remove(Object.keys(items).filter((name) => !isPendingKey(name)));
}

/** The same storage, which waits for the migration. */
export function onceMigrated(storage: KeyValueStorage, migrated: Promise<unknown>): KeyValueStorage {
  return {
    get: (keys) => migrated.then(() => storage.get(keys)),
    set: (items) => migrated.then(() => storage.set(items)),
    remove: (keys) => migrated.then(() => storage.remove(keys)),
  };
}
