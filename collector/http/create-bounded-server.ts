import { constants } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AppDeps } from './app-deps.ts';
import { boundConnections, type ConnectionLimits } from './bound-connections.ts';
import { boundHandshakes, type HandshakeLimits } from './bound-handshakes.ts';
import { boundRequests } from './bound-requests.ts';

/** Expired requests are looked for this many times within the timeout; by default Node looks every 30 s. */
const TIMEOUT_CHECKS = 30;
/** Longer than the 60 s that proxies keep a connection idle: the one who closes first must not be the server, ms. */
const KEEP_ALIVE_MS = 72_000;
/** A connection of TLS 1.2 could ask for further handshakes, each with a signature; no browser does. */
const ONE_HANDSHAKE = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

export interface BoundedServer {
  readonly server: Server;
  /** Connections closed by one of its bounds since the start. */
  dropped(): number;
  /** Idle connections closed for others since the start. */
  displaced(): number;
}

interface BoundedServerOptions extends Pick<AppDeps, 'tls' | 'clock'> {
  /** For a TLS handshake, for a whole request, and for an answer of which nothing is taken. */
  readonly requestTimeoutMs: number;
  readonly connectionLimits: ConnectionLimits;
  readonly handshakeLimits: HandshakeLimits;
}

/** Node's server with every bound in place before its first connection. */
export function createBoundedServer(
  handle: RequestListener,
  { tls, clock, requestTimeoutMs, connectionLimits, handshakeLimits }: BoundedServerOptions,
): BoundedServer {
  const options: ServerOptions = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: requestTimeoutMs,
    // Node swaps the two where headers may take longer than the whole request (its default: 60 s), and bodies get that time.
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / TIMEOUT_CHECKS,
  };
  const server = tls === null ? createServer(options) : createTlsServer({ ...tls, ...options, ...ONE_HANDSHAKE });
  const handshakes =
    tls === null ? null : boundHandshakes(server, handshakeLimits, { timeoutMs: requestTimeoutMs, clock });
  const connections = boundConnections(server, connectionLimits, { tls: tls !== null });
  const requests = boundRequests(server, handle, requestTimeoutMs);
  return {
    server,
    dropped: () => connections.dropped() + requests.dropped() + (handshakes?.dropped() ?? 0),
    displaced: connections.displaced,
  };
}
