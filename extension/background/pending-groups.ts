import { type EntryGroup, PENDING_PREFIX } from '../messages.ts';
import { type PackedGroup, unpackGroup } from '../packed-group.ts';
import type { KeyValueStorage } from './local-state.ts';

export function isPendingKey(key: string): boolean {
  return key.startsWith(PENDING_PREFIX);
}

/**
 * Passes on every group that an unloading page left on disk; a group stays there until `take` has resolved. A failing group
 * does not stop the others: the first failure is thrown after the last group.
 */
export async function drainPending(
  storage: KeyValueStorage,
  take: (group: EntryGroup) => Promise<void>,
): Promise<void> {
  const pending = Object.entries(await storage.get(null)).filter(([key]) => isPendingKey(key));
  const failures: unknown[] = [];
  for (const [key, group] of pending) {
    try {
      await take(unpackGroup(group as PackedGroup));
      await storage.remove(key);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
