import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, networkOf } from '../ingest/client-address.ts';
import { type Connection, OpenConnections } from './open-connections.ts';

export interface ConnectionLimits {
  readonly total: number;
  /** null where all come from one proxy. */
  readonly perClient: { readonly address: number; readonly network: number } | null;
  /** From the connection, its handshake, or the first byte of a further request to the end of the headers: then it counts as idle, ms. */
  readonly graceMs: number;
}

/** About 20 KB each, four times that over TLS. */
const MAX_CONNECTIONS = 10_000;
/** No client may take all of them. A larger office shares these: a browser needs one only while it is being answered. */
const MAX_CONNECTIONS_PER_ADDRESS = 1_000;
/** Of a /48 of IPv6, which has 65,536 addresses as they are counted here. */
const MAX_CONNECTIONS_PER_NETWORK = 4_000;
/** Several round trips of a slow line, some of them lost. */
const GRACE_MS = 5_000;

export function connectionLimits(behindProxy: boolean): ConnectionLimits {
  const perClient = { address: MAX_CONNECTIONS_PER_ADDRESS, network: MAX_CONNECTIONS_PER_NETWORK };
  return { total: MAX_CONNECTIONS, perClient: behindProxy ? null : perClient, graceMs: GRACE_MS };
}

export interface BoundConnections {
  /** Connections closed on arrival, or with a request under way, since the start. */
  dropped(): number;
  /** Idle connections closed to admit others, since the start. */
  displaced(): number;
}

/**
 * Limits how many connections are open, since each costs memory before its first byte arrives. At a limit the connection that
 * has been idle longest is closed to admit a new one: one of the same address or network if that is the limit reached, else
 * one of the network with the most idle connections. HTTP clients expect idle connections to close and open new ones when
 * needed (RFC 9112, section 9.5).
 *
 * @param server without a listener for requests of its own
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

  /** The connection to close for a new one; null if there is room, undefined if none may be closed. */
  function inTheWay(address: string, network: string): Connection | null | undefined {
    if (perClient !== null) {
      if (open.sizeOf('addresses', address) >= perClient.address) return idle.addresses.first(address);
      if (open.sizeOf('networks', network) >= perClient.network) return idle.networks.first(network);
    }
    if (open.size < total) return null;
    const mostIdle = idle.networks.largest();
    if (mostIdle !== undefined) return idle.networks.first(mostIdle);
    // All are in use: the network with the most loses one if the new connection's network has fewer even with one more.
    const largest = busy.networks.largest();
    if (perClient === null || largest === undefined) return undefined;
    return busy.networks.size(largest) > busy.networks.size(network) + 1 ? busy.networks.first(largest) : undefined;
  }

  function makePlace(address: string, network: string): boolean {
    for (;;) {
      const connection = inTheWay(address, network);
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
    if (makePlace(address, network)) {
      open.add(socket, address, network);
      return;
    }
    dropped++;
    socket.destroy();
  });
  return { dropped: () => dropped, displaced: () => displaced };
}
