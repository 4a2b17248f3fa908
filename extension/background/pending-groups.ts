import { PENDING_PREFIX } from '../messages.ts';
import { type EntryGroup, readGroup } from '../packed-group.ts';
import type { KeyValueStorage } from './state-store.ts';

/** What pages left since the last time. Chromium's storage.local holds 10 MB; Firefox sets no limit. */
const MAX_GROUPS = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** The largest group is 500 entries with addresses of 4,096 characters. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/** storage.local, which content scripts write to as well. */
export interface PageStorage extends KeyValueStorage {
  getBytesInUse(keys: string): Promise<number>;
  /** Since Chromium 130 and Firefox 143. */
  getKeys?(): Promise<string[]>;
}

export function isPendingKey(key: string): boolean {
  return key.startsWith(PENDING_PREFIX);
}

/**
 * Passes on every group that an unloading page left in storage.local; a group stays there until `take` has resolved. A failing
 * group does not stop the others: the first failure is thrown after the last group.
 *
 * Whatever has taken over a page's process can write there too. So groups are read one at a time within limits; the rest is
 * removed, as is all that is no group.
 *
 * @param count receives how many items and entries were removed as such
 */
export async function drainPending(
  storage: PageStorage,
  take: (group: EntryGroup) => Promise<void>,
  count: (lost: { readonly malformed: number }) => Promise<void>,
): Promise<void> {
  const keys = (await storage.getKeys?.()) ?? Object.keys(await storage.get(null));
  const failures: unknown[] = [];
  const refused: string[] = [];
  let malformed = 0;
  let bytes = 0;
  for (const [index, key] of keys.entries()) {
    const size = index < MAX_GROUPS && isPendingKey(key) ? await storage.getBytesInUse(key) : Number.POSITIVE_INFINITY;
    const isTaken = size <= MAX_GROUP_BYTES && bytes + size <= MAX_BYTES;
    const read = isTaken ? readLeft((await storage.get(key))[key], key) : null;
    if (read === null) {
      refused.push(key);
      continue;
    }
    bytes += size;
    malformed += read.malformed;
    try {
      await take(read.group);
      await storage.remove(key);
    } catch (error) {
      failures.push(error);
    }
  }
  if (refused.length > 0) await storage.remove(refused);
  await count({ malformed: malformed + refused.length });
  if (failures.length > 0) throw failures[0];
}

/** There is no sender to vouch for a group found on disk: its page has to be one that has the origin. */
function readLeft(value: unknown, key: string): ReturnType<typeof readGroup> {
  const read = readGroup(value);
  if (read === null || PENDING_PREFIX + read.group.id !== key || !URL.canParse(read.group.page)) return null;
  const { origin } = new URL(read.group.page);
  return read.group.origin === 'null' || read.group.origin === origin ? read : null;
}
