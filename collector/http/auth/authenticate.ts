import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AdmissionControl } from '../../ingest/admission/admission.ts';
import type { Role, StoredToken, TokenStore } from '../../storage/store.ts';
import { SAFE_METHODS } from '../api/browser-security.ts';
import { HttpError } from '../api/errors.ts';
import { BATCH_ROUTE } from '../api/json-body.ts';
import { readSessionCookie, type Sessions } from './sessions.ts';
import { hashToken } from './token-text.ts';

const BEARER = /^Bearer +([\w.~+/=-]{1,512})$/i;

export interface AuthDeps {
  readonly tokens: TokenStore;
  readonly sessions: Sessions;
  readonly admission: AdmissionControl;
}

/** Checks each request against the roles that its route declares, and charges for those that batch limits don't cover. */
export function authenticateRequests(app: FastifyInstance, { tokens, sessions, admission }: AuthDeps): void {
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.allow === undefined) throw new Error(`route ${url} does not declare who may call it`);
  });
  app.decorateRequest('token', null);
  app.addHook('onRequest', async (request, reply) => {
    const allow = request.routeOptions.config.allow ?? 'everyone';
    if (allow === 'everyone') return;
    try {
      request.token = await authenticate(request, allow, tokens, sessions);
    } catch (error) {
      if (error instanceof HttpError) await limitUnauthenticated(admission, request, reply);
      throw error;
    }
    const { role, id } = request.token;
    // Every browser has an ingest key, and may poll with it as often as its address may send batches, which are charged by
    // the byte. A connection that was reset in the meantime no longer has an address.
    if (role === 'ingest' && request.routeOptions.url !== BATCH_ROUTE && request.ip !== undefined)
      await admission.limitRequest(id, request.ip);
    if (role === 'admin' && !SAFE_METHODS.has(request.method)) await admission.limitChange(id);
  });
}

/**
 * Returns the request's token if it has one of the roles, else throws an HttpError `unauthorized` or `forbidden`. Tokens are
 * looked up for every request, so that one created or revoked from the command line takes effect at once.
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
      hash === null ? 'this needs a token' : 'the token is unknown',
      'Send authorization: Bearer with a token from `lastbyte token create`, or sign in.',
    );
  }
  if (!allowed.includes(token.role)) {
    throw new HttpError(
      'forbidden',
      `a token with the role ${token.role} may not do this`,
      `Use one with the role ${allowed.join(' or ')}: lastbyte token create --role ${allowed.at(-1)}`,
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

/**
 * Counts a request without a valid token, or a sign-in. Past the limit of its network, each further request also costs the
 * client a connection.
 */
export async function limitUnauthenticated(
  admission: AdmissionControl,
  request: FastifyRequest,
  reply: FastifyReply,
  limit: 'limitUnauthenticated' | 'limitSignIn' = 'limitUnauthenticated',
): Promise<void> {
  // A connection that was reset in the meantime no longer has an address.
  if (request.ip === undefined) return;
  try {
    await admission[limit](request.ip);
  } catch (refusal) {
    reply.header('connection', 'close');
    throw refusal;
  }
}
