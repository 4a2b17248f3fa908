import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { SessionStore } from '../../storage/store.ts';
import { HttpError } from '../api/errors.ts';
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

/**
 * Cookies ignore ports: without the port in the name, two collectors on one machine would sign each other out. With the prefix,
 * the browser takes the cookie only from this very host over TLS, so that no other host of the domain can set it:
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix
 */
function nameFor(request: FastifyRequest): string {
  const prefix = request.protocol === 'https' ? '__Host-' : '';
  return `${prefix}lastbyte_session_${request.port ?? 'default'}`;
}

/** Throws an HttpError if there are two: one of them was not set by this collector, and which one is not known. */
export function readSessionCookie(request: FastifyRequest): string | null {
  const wanted = `${nameFor(request)}=`;
  const found = (request.headers.cookie ?? '').split(/; */).filter((part) => part.startsWith(wanted));
  if (found.length > 1) {
    throw new HttpError(
      'unauthorized',
      'the request has more than one session cookie',
      'Remove the cookies of this address in the browser, and sign in again.',
    );
  }
  return found[0]?.slice(wanted.length) ?? null;
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
