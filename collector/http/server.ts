import { lookup } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import { buildApp } from './app.ts';
import type { AppDeps } from './app-deps.ts';
import { collectAlone } from './collect-alone.ts';
import { stopPretenuring } from './stop-pretenuring.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

export interface RunningServer {
  /** Such as http://127.0.0.1:8642, without a slash at the end. */
  readonly url: string;
  /** Answers what is under way, then stops listening. The store stays open; closing it comes after. */
  close(): Promise<void>;
}

/**
 * Connections that the kernel holds until they are accepted; it takes the lower of this and its own limit, 4,096 on Linux. With
 * Node's 511 one client that opened 600 at once made others wait for a retransmission.
 */
const BACKLOG = 4096;

/** How long open requests get to finish before their connections are cut, ms. */
const CLOSE_GRACE_MS = 10_000;

/** Listens. Throws what `listen` throws, such as EADDRINUSE. */
export async function startServer(deps: AppDeps, { host, port }: ListenOptions): Promise<RunningServer> {
  stopPretenuring();
  collectAlone();
  const app = await buildApp(deps);
  const others: Server[] = [];
  app.addHook('preClose', async () => {
    for (const other of others) other.close();
  });
  try {
    await app.listen({ host, port, backlog: BACKLOG });
    if (host === 'localhost') others.push(...(await listenBeside(app.server, host)));
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port: bound } = app.server.address() as AddressInfo;
  return {
    url: `${deps.tls === null ? 'http' : 'https'}://${urlHost(host)}:${bound}`,
    async close() {
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
      await app.close();
      clearTimeout(cut);
    },
  };
}

/** What a machine without IPv6 says, though its hosts file names ::1. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * A server listens at the first address of a name. What comes to the others is handed to it, so that one server with one
 * set of bounds has all connections: https://nodejs.org/api/http.html#event-connection
 */
async function listenBeside(server: Server, host: string): Promise<Server[]> {
  const { address: first, port } = server.address() as AddressInfo;
  const beside: Server[] = [];
  for (const { address } of await promisify(lookup)(host, { all: true })) {
    if (address === first) continue;
    // As Node's HTTP server has them.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    try {
      await once(other.listen({ host: address, port, backlog: BACKLOG }), 'listening');
      beside.push(other);
    } catch (error) {
      if (!NO_SUCH_ADDRESS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  return beside;
}

/** A wildcard address is no place to visit. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
