import type { FastifyInstance } from 'fastify';
import { BATCH_ROUTE } from './json-body.ts';

/** The dashboard is one script and one style sheet of ours; nothing inline, nothing from elsewhere, no frames. */
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

/** On every answer. */
const FOR_PROGRAMS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const FOR_PEOPLE = {
  ...FOR_PROGRAMS,
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** On every answer, errors included; what no browser shows to anybody has fewer: they were most of an answer to a batch. */
export function securityHeaders(app: FastifyInstance): void {
  // A callback, not a promise: every batch passes here.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.method === 'POST' && request.url === BATCH_ROUTE ? FOR_PROGRAMS : FOR_PEOPLE);
    done();
  });
}
