import { randomBytes } from 'node:crypto';
import type { SessionStore } from '../../storage/store.ts';
import { hashToken } from './token-text.ts';

/** A working day; then people sign in again, ms. */
export const SESSION_MS = 12 * 3600 * 1000;

/**
 * Who is signed in with a browser: a random id for the cookie, and behind it the hash of the token it was opened
 * with. The token is looked up again at each request, so a revoked one ends its sessions. They lie in the store, so an
 * update of the collector signs nobody out; of the id only the hash, so a copy of the store opens no session.
 */
export interface Sessions {
  open(tokenHash: string): Promise<string>;
  /** The token's hash; null where there is no such session any more. */
  tokenHashOf(id: string): Promise<string | null>;
  close(id: string): Promise<void>;
}

export function createSessions(store: SessionStore, clock: () => number): Sessions {
  return {
    async open(tokenHash) {
      const id = randomBytes(32).toString('base64url');
      const now = clock();
      await store.open(hashToken(id), tokenHash, now + SESSION_MS, now);
      return id;
    },
    tokenHashOf(id) {
      const now = clock();
      return store.find(hashToken(id), now, now + SESSION_MS);
    },
    close: (id) => store.close(hashToken(id), clock()),
  };
}
