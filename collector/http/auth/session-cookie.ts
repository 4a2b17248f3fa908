import type { FastifyRequest } from 'fastify';
import { SESSION_MS } from './sessions.ts';

/** Cookies don't know ports: without the port in it, two collectors on one machine would sign each other out. */
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
