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
/** No client may take all of them. An office of more browsers shares these: each has one for as long as it is answered. */
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
  /** Connections that were closed as soon as they were made, or with a request under way, since the start. */
  dropped(): number;
  /** Idle connections that were closed for others, since the start. */
  displaced(): number;
}

/**
 * Connections cost memory before a single byte has come, so they are limited; but whoever keeps one without using it must
 * not keep out those who would. So the one that has been idle longest is closed for a newcomer: of its own address or
 * network where that is at its limit, or of the network with the most idle ones where all together are. HTTP clients expect
 * that of idle connections, and make another when they need it (RFC 9112, section 9.5).
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

  /** Who would have to give way to a newcomer; null where there is room, undefined where nobody does. */
  function inTheWay(address: string, network: string): Connection | null | undefined {
    if (perClient !== null) {
      if (open.sizeOf('addresses', address) >= perClient.address) return idle.addresses.first(address);
      if (open.sizeOf('networks', network) >= perClient.network) return idle.networks.first(network);
    }
    if (open.size < total) return null;
    const mostIdle = idle.networks.largest();
    if (mostIdle !== undefined) return idle.networks.first(mostIdle);
    // All are at work: the network with the most gives way, if the newcomer's has less even with one more.
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
