import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, networkOf } from '../../ingest/admission/client-address.ts';
import { type Connection, OpenConnections } from './open-connections.ts';

export interface ConnectionLimits {
  readonly total: number;
  /** null behind a proxy, which all connections come from. */
  readonly perClient: { readonly address: number; readonly network: number } | null;
  /**
   * Grace period (ms) after a connection opens, completes its handshake or begins a request. Once it has passed without
   * complete headers, the connection counts as idle.
   */
  readonly graceMs: number;
}

/** About 20 KB each, four times as much over TLS. */
const MAX_CONNECTIONS = 10_000;
/** No client may take all of them. Large offices share these: a browser needs one only during a request. */
const MAX_CONNECTIONS_PER_ADDRESS = 1_000;
/** Of an IPv6 /48, which counts as 65,536 addresses here. */
const MAX_CONNECTIONS_PER_NETWORK = 4_000;
/** Several round trips on a slow line, some of them with packet loss. */
const GRACE_MS = 5_000;

export function connectionLimits(behindProxy: boolean): ConnectionLimits {
  const perClient = { address: MAX_CONNECTIONS_PER_ADDRESS, network: MAX_CONNECTIONS_PER_NETWORK };
  return { total: MAX_CONNECTIONS, perClient: behindProxy ? null : perClient, graceMs: GRACE_MS };
}

export interface BoundConnections {
  /** Connections closed on arrival or during a request, since the start. */
  dropped(): number;
  /** Idle connections closed to admit others, since the start. */
  displaced(): number;
}

/**
 * Limits open connections, since each costs memory before its first byte arrives. At a limit, the connection that has been
 * idle longest is closed to admit a new one: of the same address or network if that is the limit reached, else of the
 * network with the most idle connections. HTTP clients expect idle connections to close and reopen them when needed
 * (RFC 9112, section 9.5).
 *
 * @param server without a request listener
 */
export function boundConnections(
  server: Server,
  { total, perClient, graceMs }: ConnectionLimits,
  { tls }: { readonly tls: boolean },
): BoundConnections {
  const open = new OpenConnections(server, { graceMs, tls });
  const { idle, busy } = open;
  let dropped = 0;
  let displaced = 0;

  /** The connection to close for a new one; null if none has to be, undefined if none may be. */
  function toClose(address: string, network: string): Connection | null | undefined {
    if (perClient !== null) {
      if (open.sizeOf('addresses', address) >= perClient.address) return idle.addresses.first(address);
      if (open.sizeOf('networks', network) >= perClient.network) return idle.networks.first(network);
    }
    if (open.size < total) return null;
    const mostIdle = idle.networks.largest();
    if (mostIdle !== undefined) return idle.networks.first(mostIdle);
    // All are busy: the largest network loses one if the new connection's network stays smaller even with one more.
    const largest = busy.networks.largest();
    if (perClient === null || largest === undefined) return undefined;
    return busy.networks.size(largest) > busy.networks.size(network) + 1 ? busy.networks.first(largest) : undefined;
  }

  function admit(address: string, network: string): boolean {
    for (;;) {
      const connection = toClose(address, network);
      if (connection === null) return true;
      if (connection === undefined) return false;
      if (open.wakeIfBegun(connection)) continue;
      if (connection.idleSince === null) dropped++;
      else displaced++;
      open.close(connection);
    }
  }

  server.on('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
    if (admit(address, network)) {
      open.add(socket, address, network);
      return;
    }
    dropped++;
    socket.destroy();
  });
  return { dropped: () => dropped, displaced: () => displaced };
}
