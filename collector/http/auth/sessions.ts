import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { SessionStore } from '../../storage/store.ts';
import { hashToken } from './token-text.ts';

/** A working day, ms. */
const SESSION_MS = 12 * 3600 * 1000;
/** How far the clocks of collectors that share sessions may differ, ms: one opened at the first counts at the others at once. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Sign-ins of browsers: a random id in the cookie leads to the hash of the token that opened the session. The token is
 * looked up for every request, so revoking it ends its sessions. They are stored, so updating the collector does not sign
 * anyone out. Only a hash of the id is stored, so a copy of the store cannot be used to sign in.
 */
export interface Sessions {
  open(tokenHash: string): Promise<string>;
  /** The token's hash; null if the session has ended or never existed. */
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
      return store.find(hashToken(id), now, now + SESSION_MS + CLOCK_SKEW_MS);
    },
    close: (id) => store.close(hashToken(id), clock()),
  };
}

/** Cookies ignore ports: without the port in the name, two collectors on one machine would sign each other out. */
function nameFor(request: FastifyRequest): string {
  return `lastbyte_session_${request.port ?? 'default'}`;
}

export function readSessionCookie(request: FastifyRequest): string | null {
  const wanted = `${nameFor(request)}=`;
  const cookie = (request.headers.cookie ?? '').split(/; */).find((part) => part.startsWith(wanted));
  return cookie?.slice(wanted.length) ?? null;
}

export function sessionCookie(request: FastifyRequest, id: string): string {
  return cookie(request, id, Math.floor(SESSION_MS / 1000));
}

export function expiredSessionCookie(request: FastifyRequest): string {
  return cookie(request, '', 0);
}

function cookie(request: FastifyRequest, value: string, maxAgeSeconds: number): string {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  return `${nameFor(request)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}
