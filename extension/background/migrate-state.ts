import type { KeyValueStorage, LocalState } from './local-state.ts';
import { isPendingKey } from './pending-groups.ts';

/** Version of the state, apart from the queue. Raise it with a step in `migrateState` whenever the shape of a value changes. */
export const STATE_VERSION = 4;
/** Up to version 3 the state was in storage.local. */
const LAST_IN_STORAGE = 3;
const VERSION_KEY = 'stateVersion';

/** A pause this version cannot read must not turn into measuring. */
const FOR_GOOD = { until: 'forever', from: 0 };

type Name = keyof LocalState | 'policy';

/** Of a newer or unreadable state: what this version can check on its own. The collector supplies the rest again. */
const CHECKABLE: readonly Name[] = ['enrolment', 'policy', 'paused'];
/** Version 0 had names without a byte limit, and registered the capture in another way: both are made again. */
const SINCE_VERSION_1: readonly Name[] = ['names', 'registered'];
const ALL: readonly Name[] = [
  ...CHECKABLE,
  ...SINCE_VERSION_1,
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

export type Migration = 'current' | 'fresh' | 'migrated' | 'unknown' | 'newer';

/**
 * Brings the state to this version's shape before anything else reads it. What an older version left in storage.local is
 * moved once: from then on the version is in `state`, and whatever a page's process writes under the same names has no
 * effect. A background that dies halfway starts again from the old version.
 */
export async function migrateState(state: KeyValueStorage, local: KeyValueStorage): Promise<Migration> {
  const found = (await state.get(VERSION_KEY))[VERSION_KEY];
  if (found === STATE_VERSION) return 'current';
  const from = found === undefined ? local : state;
  const items = await from.get(null);
  const version = found ?? items[VERSION_KEY] ?? 0;
  const isVersion = typeof version === 'number' && Number.isInteger(version) && version >= 0;
  const isKnown = isVersion && version <= LAST_IN_STORAGE;
  const kept = isKnown ? ALL.filter((name) => version > 0 || !SINCE_VERSION_1.includes(name)) : CHECKABLE;
  const moved = Object.fromEntries(kept.flatMap((name) => (name in items ? [[name, items[name]]] : [])));
  if (!isKnown && moved.paused) moved.paused = FOR_GOOD;
  if (from === state) await state.remove(Object.keys(items).filter((name) => !(name in moved)));
  // On disk before the only other copy goes.
  await state.set({ ...moved, [VERSION_KEY]: STATE_VERSION }, 'strict');
  if (from === local) await local.remove(Object.keys(items).filter((name) => !isPendingKey(name)));
  if (!isKnown) return isVersion ? 'newer' : 'unknown';
  return Object.keys(items).length === 0 ? 'fresh' : 'migrated';
}

/** The same storage, which waits for the migration. */
export function onceMigrated(storage: KeyValueStorage, migrated: Promise<unknown>): KeyValueStorage {
  return {
    get: (keys) => migrated.then(() => storage.get(keys)),
    set: (items) => migrated.then(() => storage.set(items)),
    remove: (keys) => migrated.then(() => storage.remove(keys)),
  };
}
