import type { EntryGroup } from '../messages.ts';
import { ENTRY_NAMES } from '../packed-group.ts';
import type { KeyValueStorage } from './local-state.ts';
import { isPendingKey } from './pending-groups.ts';

/** Version of storage.local, apart from the queue. Raise it with a step below whenever the shape of a value changes. */
export const STATE_VERSION = 3;
const VERSION_KEY = 'stateVersion';

type Items = Readonly<Record<string, unknown>>;

/** What turns version n into n + 1: values to write, names to remove. */
interface Step {
  readonly set: Items;
  readonly remove: readonly string[];
}

/** One for each version there has been, oldest first. */
const STEPS: readonly ((before: Items) => Step)[] = [
  /**
   * 0 → 1: names had no byte limit and could fill the whole storage; they are collected again. Capture is registered again,
   * together with the rules that unlock timings.
   */
  () => ({ set: {}, remove: ['names', 'registered'] }),
  /** 1 → 2: groups that pages left on disk no longer contain property names. */
  (before) => ({ set: eachPending(before, (group) => withoutNames(group as EntryGroup)), remove: [] }),
  /** 2 → 3: their entries are JSON. */
  (before) => ({ set: eachPending(before, (group) => asJson(group as { entries: unknown })), remove: [] }),
];

function eachPending(items: Items, change: (group: unknown) => unknown): Items {
  const pending = Object.entries(items).filter(([key]) => isPendingKey(key));
  return Object.fromEntries(pending.map(([key, group]) => [key, change(group)]));
}

/** A repeated step finds it converted already. */
function asJson({ entries, ...group }: { entries: unknown }) {
  return { ...group, entries: typeof entries === 'string' ? entries : JSON.stringify(entries) };
}

function withoutNames({ entries, ...group }: EntryGroup) {
  const values = entries.map(({ entry, hidden, restored, seenAt }) => [
    ...ENTRY_NAMES.map((name) => entry[name]),
    hidden,
    restored,
    seenAt,
  ]);
  return { ...group, entries: values };
}

/** A pause this version cannot read must not turn into measuring. */
const FOR_GOOD = { until: 'forever', from: 0 };

export type Migration = 'current' | 'fresh' | 'migrated' | 'unknown' | 'newer';

/**
 * Migrates storage.local to this version's shape before anything else reads it. A background that dies halfway starts
 * again from the old version, so steps may be repeated. Of a newer or unreadable state, only what this version can
 * check on its own is kept: the enrolment, a pause, and entries that pages left behind. The collector supplies the rest
 * again.
 */
export async function migrateState(storage: KeyValueStorage): Promise<Migration> {
  const items = await storage.get(null);
  const found = items[VERSION_KEY];
  if (found === STATE_VERSION) return 'current';
  const names = Object.keys(items);
  const version = found === undefined ? 0 : found;
  const isVersion = typeof version === 'number' && Number.isInteger(version) && version >= 0;
  if (!isVersion || version > STATE_VERSION) {
    const kept = new Set(['enrolment', 'policy']);
    const gone = names.filter((name) => !kept.has(name) && !name.startsWith('pending/') && name !== 'paused');
    if (gone.length > 0) await storage.remove(gone);
    await storage.set({ [VERSION_KEY]: STATE_VERSION, ...(items.paused ? { paused: FOR_GOOD } : {}) });
    return isVersion ? 'newer' : 'unknown';
  }
  for (const [index, step] of STEPS.entries()) {
    if (index < version) continue;
    const { set, remove } = step(await storage.get(null));
    if (remove.length > 0) await storage.remove([...remove]);
    await storage.set({ ...set, [VERSION_KEY]: index + 1 });
  }
  return names.length === 0 ? 'fresh' : 'migrated';
}
