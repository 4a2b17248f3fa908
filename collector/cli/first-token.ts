import { makeToken } from '../http/auth/token-text.ts';
import type { Store } from '../storage/store.ts';

/** A new admin token if there is none yet, since no one could sign in without one; else null. */
export async function firstToken(store: Store, now: number): Promise<string | null> {
  const tokens = await store.tokens.list();
  if (tokens.some(({ role }) => role === 'admin')) return null;
  const { stored, token } = makeToken('admin', 'first start', now);
  await store.tokens.create(stored);
  return token;
}
