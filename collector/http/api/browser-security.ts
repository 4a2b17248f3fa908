import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';

/** The dashboard is one script and one style sheet: nothing inline, nothing from elsewhere, no frames. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** On every response, errors included. */
export function securityHeaders(app: FastifyInstance): void {
  // A callback, not a promise: every batch passes through here.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    done();
  });
}

/** Methods that change nothing: https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods */
export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK_NAME = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Refuses two ways for another site to act through a person's browser, before anything is read. */
export function refuseForeignRequests(app: FastifyInstance, loopbackOnly: boolean): void {
  // A callback, not a promise: every batch passes through here. The error handler gets what is thrown either way.
  app.addHook('onRequest', (request, _reply, done) => {
    if (loopbackOnly) refuseForeignName(request);
    if (!SAFE_METHODS.has(request.method)) refuseCrossSite(request);
    done();
  });
}

/** DNS rebinding: to the browser, a foreign name that resolves to 127.0.0.1 is same-origin with the collector. */
function refuseForeignName(request: FastifyRequest): void {
  if (LOOPBACK_NAME.test(request.hostname.toLowerCase())) return;
  throw new HttpError(
    'wrong_host',
    'this collector only answers on loopback names',
    'Use http://127.0.0.1 or http://localhost; to serve others, bind an address with --host and TLS.',
  );
}

/**
 * SameSite cookies are sent to every port and subdomain of a site, so the origin is compared too, and what the browser says of
 * the page (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header). Clients other than browsers send neither; extensions
 * send a token.
 */
function refuseCrossSite(request: FastifyRequest): void {
  const { origin, authorization, 'sec-fetch-site': site = 'none' } = request.headers;
  if (authorization !== undefined) return;
  const isOwn = origin === undefined || origin === `${request.protocol}://${request.host}`;
  if (isOwn && (site === 'same-origin' || site === 'none')) return;
  throw new HttpError(
    'cross_site',
    'a page of another origin may not change anything here',
    'Use the dashboard of this collector, or send a token.',
  );
}
