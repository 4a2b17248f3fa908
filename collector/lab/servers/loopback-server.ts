import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server on 127.0.0.1, at a port that the system chose. */
export interface LoopbackServer {
  readonly port: number;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
