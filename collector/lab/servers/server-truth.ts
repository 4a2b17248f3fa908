import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

interface Seen {
  requests: number;
  /** CPU time of the whole process when the connection came in, µs. */
  readonly cpuAtOpen: number;
}

/** Reported for each request as it arrives. */
export interface RequestTruth {
  /** Epoch ms. */
  readonly at: number;
  readonly path: string;
  readonly connection: 'new' | 'reused';
  /** Of the request's connection; null on plain HTTP. */
  readonly handshake: 'full' | 'resumed' | null;
  /** The X-Lastbyte-Probe header, and the cookies. */
  readonly probe: string | null;
  readonly cookie: string | null;
}

export interface BegunRequest {
  readonly truth: RequestTruth;
  /** Value of the header, computed when the response is ready. */
  serverTiming(serverMs: number): string;
}

/**
 * What only a server knows about a request: whether its connection was new, whether its handshake was resumed, and its
 * CPU time. https://www.w3.org/TR/server-timing/
 */
export class ServerTruth {
  /** By the client's port: HTTP/2 and TLS each wrap the socket in another object. */
  readonly #connections = new Map<number, Seen>();

  opened(socket: Socket): void {
    const port = socket.remotePort ?? 0;
    const seen = { requests: 0, cpuAtOpen: cpuMicroseconds() };
    this.#connections.set(port, seen);
    socket.on('close', () => {
      if (this.#connections.get(port) === seen) this.#connections.delete(port);
    });
  }

  begin(request: IncomingMessage, session: { readonly socket: unknown } | null): BegunRequest {
    const socket = (session?.socket ?? request.socket) as TLSSocket;
    const seen = this.#connections.get(socket.remotePort ?? 0);
    const isFirst = seen?.requests === 0;
    if (seen) seen.requests++;
    const cpuAtStart = isFirst && seen ? seen.cpuAtOpen : cpuMicroseconds();
    const handshake =
      'encrypted' in socket && socket.encrypted ? (socket.isSessionReused() ? 'resumed' : 'full') : null;
    const connection = isFirst ? 'new' : 'reused';
    const { 'x-lastbyte-probe': mark, cookie = null } = request.headers;
    const truth: RequestTruth = {
      at: Date.now(),
      path: request.url ?? '/',
      connection,
      handshake,
      probe: typeof mark === 'string' ? mark : null,
      cookie,
    };
    return {
      truth,
      serverTiming(serverMs) {
        const cpuMs = (cpuMicroseconds() - cpuAtStart) / 1000;
        const metrics = [`server;dur=${serverMs}`, `cpu;dur=${cpuMs.toFixed(3)}`, `conn;desc="${connection}"`];
        return [...metrics, ...(handshake ? [`tls;desc="${handshake}"`] : [])].join(', ');
      },
    };
  }
}

/** Of the whole process, so correct for sequential requests only: overlapping ones count each other's. */
function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
