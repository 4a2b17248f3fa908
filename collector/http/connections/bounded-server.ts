import { constants } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** Checks for expired requests per timeout; Node's default is every 30 s. */
const TIMEOUT_CHECKS = 30;
/** In ms, longer than the 60 s of proxies: the server must not be the first to close an idle connection. */
const KEEP_ALIVE_MS = 72_000;
/** A TLS 1.2 client could request further handshakes, each with a signature; no browser does. */
const ONE_HANDSHAKE = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

/** Open at any one time, of all clients; about 20 KB each, four times as much over TLS. */
const MAX_CONNECTIONS = 10_000;

export interface BoundedServer {
  readonly server: Server;
  /** Connections closed by one of the limits, since the start. */
  dropped(): number;
}

interface BoundedServerOptions {
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** For a TLS handshake, for a whole request, and for a response that isn't being read. */
  readonly requestTimeoutMs: number;
  readonly maxConnections?: number;
}

/** Node's server with every limit in place before its first connection. Floods of TLS handshakes are for a proxy in front. */
export function createBoundedServer(
  handle: RequestListener,
  { tls, requestTimeoutMs, maxConnections = MAX_CONNECTIONS }: BoundedServerOptions,
): BoundedServer {
  const options: ServerOptions = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: requestTimeoutMs,
    // Node swaps the two timeouts if headers may take longer (by default 60 s), which gives that time to bodies.
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / TIMEOUT_CHECKS,
  };
  const server =
    tls === null
      ? createServer(options)
      : createTlsServer({ ...tls, ...options, ...ONE_HANDSHAKE, handshakeTimeout: requestTimeoutMs });
  server.maxConnections = maxConnections;
  let refused = 0;
  server.on('drop', () => {
    refused++;
    // More browsers than connections: the next one to come finds room, and HTTP clients expect idle connections to close
    // (RFC 9112, section 9.5).
    server.closeIdleConnections();
  });
  // Before the handler of HTTP errors: its answer would wait for a handshake that never ends.
  server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') refused++;
    socket.destroy();
  });
  const requests = boundRequests(server, handle, requestTimeoutMs);
  return { server, dropped: () => refused + requests.dropped() };
}

/**
 * Requests of one connection that may be waiting for responses. Browsers and proxies wait for each response before they
 * send the next request; only tools use pipelining (RFC 9112, section 9.3.2).
 */
export const MAX_PIPELINED = 4;

export interface BoundRequests {
  /** Connections closed by one of these limits, since the start. */
  dropped(): number;
}

/**
 * Node parses all requests of a chunk at once, up to 1,400 in 64 KB, and holds each response until the previous one has
 * been read. So a connection with more than a few is closed before the rest reaches a route, and so is one whose client
 * stops reading.
 *
 * @param server without a request listener
 * @param stalledMs how long a response may go without a byte being read
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
    // The parser continues to the end of its chunk.
    if (socket.destroyed) return;
    const waiting = open.get(socket) ?? watch(socket);
    if (waiting.length >= MAX_PIPELINED) {
      dropped++;
      socket.destroy();
      return;
    }
    waiting.push(response);
    response.once('close', () => waiting.splice(waiting.indexOf(response), 1));
    // The whole response is queued: from here on Node counts each byte read as activity. Once all are read, Node sets
    // the timeout for idle connections, and clears it with the next request.
    response.once('prefinish', () => socket.setTimeout(stalledMs));
    handle(request, response);
  });
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) dropped++;
    socket.destroy();
  });
  return { dropped: () => dropped };
}

/** Node closes only the response being sent; without this, work on the queued ones would never be cancelled. */
function closeUnsent(response: ServerResponse): void {
  response.destroyed = true;
  response.emit('close');
}
