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

/** How long open requests get to finish before their connections are cut, ms. */
const CLOSE_GRACE_MS = 10_000;

/** Listens. Throws what `listen` throws, such as EADDRINUSE. */
export async function startServer(deps: AppDeps, { host, port }: ListenOptions): Promise<RunningServer> {
  stopPretenuring();
  collectAlone();
  const app = await buildApp(deps);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw error;
  }
  const address = app.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `${deps.tls === null ? 'http' : 'https'}://${urlHost(host)}:${bound}`,
    async close() {
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
      await app.close();
      clearTimeout(cut);
    },
  };
}

/** A wildcard address is no place to visit. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
