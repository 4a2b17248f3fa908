import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors.ts';

/** They change nothing: https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods */
export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK_NAME = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Two ways in which another site could use a person's browser as its hands, both closed before anything is read. */
export function refuseStrangers(app: FastifyInstance, loopbackOnly: boolean): void {
  // A callback, not a promise: every batch passes here. What is thrown ends in the error handler all the same.
  app.addHook('onRequest', (request, _reply, done) => {
    if (loopbackOnly) refuseForeignName(request);
    if (!SAFE_METHODS.has(request.method)) refuseCrossSite(request);
    done();
  });
}

/** DNS rebinding: a foreign name that was made to point to 127.0.0.1 is same-origin with us for the browser. */
function refuseForeignName(request: FastifyRequest): void {
  if (LOOPBACK_NAME.test(request.hostname.toLowerCase())) return;
  throw new HttpError(
    'wrong_host',
    'this collector answers on loopback names only',
    'Use http://127.0.0.1 or http://localhost; to serve others, bind an address with --host and TLS.',
  );
}

/** SameSite cookies are sent to every port of a site, so the origin is compared too. Other clients send none. */
function refuseCrossSite(request: FastifyRequest): void {
  const origin = request.headers.origin;
  if (origin === undefined || request.headers.authorization !== undefined) return;
  if (origin === `${request.protocol}://${request.host}`) return;
  throw new HttpError(
    'cross_site',
    'a page of another origin may not change anything here',
    'Use the dashboard of this collector, or send a token.',
  );
}
