import type { Server, Socket } from 'node:net';
import { clientAddress } from '../ingest/client-address.ts';

export interface ConnectionLimits {
  readonly total: number;
  /** null where all come from one proxy. */
  readonly perAddress: number | null;
}

/** About 20 KB each, four times that over TLS. */
const MAX_CONNECTIONS = 10_000;
/** An office of a thousand people; no client may take all of them. */
const MAX_CONNECTIONS_PER_ADDRESS = 1_000;

export function connectionLimits(behindProxy: boolean): ConnectionLimits {
  return { total: MAX_CONNECTIONS, perAddress: behindProxy ? null : MAX_CONNECTIONS_PER_ADDRESS };
}

export interface BoundConnections {
  /** Connections that were closed as soon as they were made, since the start. */
  dropped(): number;
}

/** Connections cost memory before a single byte has come: those beyond a limit are closed at once. */
export function boundConnections(server: Server, { total, perAddress }: ConnectionLimits): BoundConnections {
  const open = new Map<string, number>();
  let all = 0;
  let dropped = 0;
  server.on('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress ?? '');
    const before = open.get(address) ?? 0;
    if (all >= total || (perAddress !== null && before >= perAddress)) {
      dropped++;
      socket.destroy();
      return;
    }
    all++;
    open.set(address, before + 1);
    socket.once('close', () => {
      all--;
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
  return { dropped: () => dropped };
}
