import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection that may wait for their answers. Browsers and proxies send the next one when they have the
 * last answer; pipelining (RFC 9112, section 9.3.2) is something only tools do.
 */
export const MAX_PIPELINED = 4;

export interface BoundRequests {
  /** Connections that were closed by one of these bounds, since the start. */
  dropped(): number;
}

/**
 * Node hands over every request of a piece it has read at once, 1,400 of them in 64 KB, and holds each answer until the
 * one before has been taken. So a connection with more than a few is closed before the rest reaches a route, and so is
 * one whose client stops reading.
 *
 * @param stalledMs how long an answer may go without a byte being read
 */
export function boundRequests(server: Server, stalledMs: number): BoundRequests {
  const open = new WeakMap<Socket, number>();
  let dropped = 0;
  // Fastify has registered its own by now, and offers no hook before it has routed a request.
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // The parser goes on to the end of its piece.
    if (socket.destroyed) return;
    const waiting = (open.get(socket) ?? 0) + 1;
    if (waiting > MAX_PIPELINED) {
      dropped++;
      socket.destroy();
      return;
    }
    open.set(socket, waiting);
    response.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1));
    // The whole answer is on its way: from here on Node counts each byte that is taken as activity. Once it is taken Node
    // sets the time for idle connections, and none with the next request.
    response.once('prefinish', () => socket.setTimeout(stalledMs));
    for (const handle of handlers) handle.call(server, request, response);
  });
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) dropped++;
    socket.destroy();
  });
  return { dropped: () => dropped };
}
