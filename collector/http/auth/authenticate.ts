import type { FastifyRequest } from 'fastify';
import type { Role, StoredToken, TokenStore } from '../../storage/store.ts';
import { HttpError } from '../errors.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import { hashToken } from './token-text.ts';

const BEARER = /^Bearer +([\w.~+/=-]{1,512})$/i;

/**
 * Lets a request pass if its token has one of the roles. Throws HttpError `unauthorized` or `forbidden`. Tokens are
 * looked up each time: one made or revoked by a command beside the server counts at once.
 */
export async function authenticate(
  request: FastifyRequest,
  allowed: readonly Role[],
  tokens: TokenStore,
  sessions: Sessions,
): Promise<StoredToken> {
  const hash = await presentedHash(request, sessions);
  const token = hash === null ? null : await tokens.findByHash(hash);
  if (token === null) {
    throw new HttpError(
      'unauthorized',
      hash === null ? 'this needs a token' : 'the token is not known here',
      'Send authorization: Bearer with a token of `lastbyte token create`, or sign in.',
    );
  }
  if (!allowed.includes(token.role)) {
    throw new HttpError(
      'forbidden',
      `a token of the role ${token.role} may not do this`,
      `Use one of the role ${allowed.join(' or ')}: lastbyte token create --role ${allowed.at(-1)}`,
    );
  }
  return token;
}

async function presentedHash(request: FastifyRequest, sessions: Sessions): Promise<string | null> {
  const header = request.headers.authorization;
  if (header !== undefined) {
    const token = BEARER.exec(header)?.[1];
    return token === undefined ? null : hashToken(token);
  }
  const session = readSessionCookie(request);
  return session === null ? null : sessions.tokenHashOf(session);
}
