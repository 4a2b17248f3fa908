import { type EntryGroup, PENDING_PREFIX } from '../messages.ts';
import type { KeyValueStorage } from './local-state.ts';

export function isPendingKey(key: string): boolean {
  return key.startsWith(PENDING_PREFIX);
}

/** Hands over every group that a dying page left on disk; a group stays there until `take` has resolved. */
export async function drainPending(
  storage: KeyValueStorage,
  take: (group: EntryGroup) => Promise<void>,
): Promise<void> {
  const pending = Object.entries(await storage.get(null)).filter(([key]) => isPendingKey(key));
  for (const [key, group] of pending) {
    await take(group as EntryGroup);
    await storage.remove(key);
  }
}
