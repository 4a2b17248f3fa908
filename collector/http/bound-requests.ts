import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection that may wait for their answers. Browsers and proxies send the next one when they have the
 * last answer; pipelining (RFC 9112, section 9.3.2) is something only tools do.
 */
export const MAX_PIPELINED = 4;

export interface BoundRequests {
  /** Connections closed by one of these bounds since the start. */
  dropped(): number;
}

/**
 * Node parses every request of a piece it has read at once, 1,400 of them in 64 KB, and holds each answer until the one
 * before it has been taken. So a connection with more than a few is closed before the rest reaches a route, and so is one
 * whose client stops reading.
 *
 * @param server without a listener for requests of its own
 * @param stalledMs how long an answer may go without a byte being read
 */
export function boundRequests(server: Server, handle: RequestListener, stalledMs: number): BoundRequests {
  const open = new WeakMap<Socket, ServerResponse[]>();
  let dropped = 0;
  const watch = (socket: Socket): ServerResponse[] => {
    const waiting: ServerResponse[] = [];
    open.set(socket, waiting);
    socket.once('close', () => {
      for (const response of [...waiting]) if (!response.destroyed) closeUnsent(response);
    });
    return waiting;
  };
  server.on('request', (request, response) => {
    const { socket } = request;
    // The parser continues to the end of its piece.
    if (socket.destroyed) return;
    const waiting = open.get(socket) ?? watch(socket);
    if (waiting.length >= MAX_PIPELINED) {
      dropped++;
      socket.destroy();
      return;
    }
    waiting.push(response);
    response.once('close', () => waiting.splice(waiting.indexOf(response), 1));
    // The whole answer is on its way: from here on Node counts each byte taken as activity. Once all is taken, Node sets
    // the timeout for idle connections, and removes it with the next request.
    response.once('prefinish', () => socket.setTimeout(stalledMs));
    handle(request, response);
  });
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) dropped++;
    socket.destroy();
  });
  return { dropped: () => dropped };
}

/** Node closes the answer that is being sent, and forgets those behind it: their work would never be cancelled. */
function closeUnsent(response: ServerResponse): void {
  response.destroyed = true;
  response.emit('close');
}
