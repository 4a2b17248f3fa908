import { lookup } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import type { AppDeps } from './api/app-deps.ts';
import { buildApp } from './app.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

export interface RunningServer {
  /** Such as http://127.0.0.1:8642, without a trailing slash. */
  readonly url: string;
  /** Answers the requests in progress, then stops listening. Close the store afterwards. */
  close(): Promise<void>;
}

/**
 * Connections that the kernel queues until they are accepted, up to its own limit, 4,096 on Linux. With Node's 511, one
 * client that opened 600 at once made others wait for a retransmission.
 */
const BACKLOG = 4096;

/** Time for open requests to finish before their connections are closed, ms. */
const CLOSE_GRACE_MS = 10_000;

/** Listens. Throws what `listen` throws, such as EADDRINUSE. */
export async function startServer(deps: AppDeps, { host, port }: ListenOptions): Promise<RunningServer> {
  const app = await buildApp(deps);
  const others: Server[] = [];
  app.addHook('preClose', async () => {
    for (const other of others) other.close();
  });
  try {
    await app.listen({ host, port, backlog: BACKLOG });
    if (host === 'localhost') others.push(...(await listenOnFurtherAddresses(app.server, host)));
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

/** On a machine without IPv6 whose hosts file lists ::1. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Node listens on the first address of a name only. Connections to the others are passed on to the same server, with its
 * timeouts: https://nodejs.org/api/http.html#event-connection
 */
async function listenOnFurtherAddresses(server: Server, host: string): Promise<Server[]> {
  const { address: first, port } = server.address() as AddressInfo;
  const beside: Server[] = [];
  for (const { address } of await promisify(lookup)(host, { all: true })) {
    if (address === first) continue;
    // The options of Node's HTTP server.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    other.maxConnections = server.maxConnections;
    other.on('drop', (data) => server.emit('drop', data));
    try {
      await once(other.listen({ host: address, port, backlog: BACKLOG }), 'listening');
      beside.push(other);
    } catch (error) {
      if (!NO_SUCH_ADDRESS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  return beside;
}

/** A wildcard address can't be visited. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
