import type { FastifyInstance } from 'fastify';

/**
 * Closing ends idle connections only; one that is answered while we close would stay open until its keep-alive time is
 * over, and hold up the end of the process by that time. So the last answers say `connection: close`.
 */
export function closeConnectionsWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  // A callback, not a promise: every batch passes here.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}
