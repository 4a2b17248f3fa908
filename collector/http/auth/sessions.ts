import { randomBytes } from 'node:crypto';

/** A working day; then people sign in again, ms. */
export const SESSION_MS = 12 * 3600 * 1000;
/** Beyond it the oldest is signed out. */
const MAX_SESSIONS = 10_000;

/**
 * Who is signed in with a browser: a random id for the cookie, and behind it the hash of the token it was opened
 * with. The token is looked up again at each request, so a revoked one ends its sessions. They live in memory: a
 * restart signs everybody out.
 */
export interface Sessions {
  open(tokenHash: string): string;
  /** The token's hash; null where there is no such session any more. */
  tokenHashOf(id: string): string | null;
  close(id: string): void;
}

export function createSessions(clock: () => number): Sessions {
  const sessions = new Map<string, { readonly tokenHash: string; readonly until: number }>();

  return {
    open(tokenHash) {
      const oldest = sessions.size >= MAX_SESSIONS ? sessions.keys().next().value : undefined;
      if (oldest !== undefined) sessions.delete(oldest);
      const id = randomBytes(32).toString('base64url');
      sessions.set(id, { tokenHash, until: clock() + SESSION_MS });
      return id;
    },
    tokenHashOf(id) {
      const session = sessions.get(id);
      if (session === undefined) return null;
      if (session.until > clock()) return session.tokenHash;
      sessions.delete(id);
      return null;
    },
    close(id) {
      sessions.delete(id);
    },
  };
}
