import type { Server, Socket } from 'node:net';
import { clientAddress, networkOf } from '../ingest/client-address.ts';

export interface ConnectionLimits {
  readonly total: number;
  /** null where all come from one proxy. */
  readonly perClient: { readonly address: number; readonly network: number } | null;
}

/** About 20 KB each, four times that over TLS. */
const MAX_CONNECTIONS = 10_000;
/** An office of a thousand people; no client may take all of them. */
const MAX_CONNECTIONS_PER_ADDRESS = 1_000;
/** Of a /48 of IPv6, which has 65,536 addresses as they are counted here. */
const MAX_CONNECTIONS_PER_NETWORK = 4_000;

export function connectionLimits(behindProxy: boolean): ConnectionLimits {
  const perClient = { address: MAX_CONNECTIONS_PER_ADDRESS, network: MAX_CONNECTIONS_PER_NETWORK };
  return { total: MAX_CONNECTIONS, perClient: behindProxy ? null : perClient };
}

export interface BoundConnections {
  /** Connections that were closed as soon as they were made, since the start. */
  dropped(): number;
}

/** Connections cost memory before a single byte has come: those beyond a limit are closed at once. */
export function boundConnections(server: Server, { total, perClient }: ConnectionLimits): BoundConnections {
  const addresses = new Map<string, number>();
  const networks = new Map<string, number>();
  let all = 0;
  let dropped = 0;
  server.on('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
    const isOver =
      perClient !== null &&
      ((addresses.get(address) ?? 0) >= perClient.address || (networks.get(network) ?? 0) >= perClient.network);
    if (all >= total || isOver) {
      dropped++;
      socket.destroy();
      return;
    }
    all++;
    count(addresses, address, 1);
    count(networks, network, 1);
    socket.once('close', () => {
      all--;
      count(addresses, address, -1);
      count(networks, network, -1);
    });
  });
  return { dropped: () => dropped };
}

/** Drops a key when its count reaches zero. */
function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}
