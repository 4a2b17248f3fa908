import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createSecureServer, type Http2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { noTickets } from '../../collector/lab/servers/lab-server.ts';
import { createServerCertificate } from '../../collector/lab/servers/server-certificate.ts';
import { waitAtLeast } from '../../collector/lab/servers/wait-at-least.ts';

const KEEP_ALIVE_MS = 120_000;
const IDLE_MS = 3_000;

interface Variant {
  readonly tls: 'TLSv1.2' | 'TLSv1.3' | null;
  readonly tickets?: false;
  readonly keepAliveMs?: number;
  readonly close?: true;
  readonly h2?: true;
}

const VARIANTS = {
  plain: { tls: null },
  tls13: { tls: 'TLSv1.3' },
  tls12: { tls: 'TLSv1.2' },
  noTickets: { tls: 'TLSv1.3', tickets: false },
  idle: { tls: 'TLSv1.3', keepAliveMs: IDLE_MS },
  close: { tls: 'TLSv1.3', close: true },
  h2: { tls: 'TLSv1.3', h2: true },
} as const satisfies Record<string, Variant>;

export type PathKind = keyof typeof VARIANTS;
export const PATH_KINDS = Object.keys(VARIANTS) as readonly PathKind[];

/** What the server knows of one request. */
export interface ServedRequest {
  readonly kind: PathKind;
  /** Host without its port, and path: no two requests have the same. */
  readonly url: string;
  /** Epoch ms. */
  readonly at: number;
  readonly clientPort: number;
  readonly serverPort: number;
  /** On its connection, from 1 on. */
  readonly nth: number;
  readonly handshake: 'full' | 'resumed' | null;
}

export interface PathSite {
  readonly authority: string;
  readonly served: readonly ServedRequest[];
  /** Of a host below `<kind>.path.test`. */
  url(kind: PathKind, host: string, path: string): string;
  /** As a server does that needs room. */
  endIdle(kind: PathKind): void;
  close(): Promise<void>;
}

/**
 * `/d/<name>` is a page, made by `pageOf`; `/r/<name>/<server ms>/<KiB>` an image. All of them name the origins that may
 * see their times.
 */
export async function startPathSite(pageOf: (name: string) => string | null): Promise<PathSite> {
  const certificate = await createServerCertificate(
    ['path.test', ...PATH_KINDS.map((kind) => `*.${kind}.path.test`)],
    Date.now(),
  );
  const served: ServedRequest[] = [];
  const servers = {} as Record<PathKind, Server>;
  const sessions = new Map<PathKind, Set<Http2Session>>();
  for (const kind of PATH_KINDS) {
    const variant: Variant = VARIANTS[kind];
    const counts = new WeakMap<object, number>();
    const listener: RequestListener = async (request, response) => {
      const socket =
        (request as unknown as { stream?: { session?: { socket: Socket } } }).stream?.session?.socket ?? request.socket;
      // The socket of an HTTP/2 session stands for the one below it.
      const identity = (request as unknown as { stream?: { session?: object } }).stream?.session ?? socket;
      const nth = (counts.get(identity) ?? 0) + 1;
      counts.set(identity, nth);
      const path = request.url ?? '/';
      const host = String(request.headers[':authority'] ?? request.headers.host ?? '').replace(/:\d+$/, '');
      const secure = socket as TLSSocket;
      served.push({
        kind,
        url: `${host}${path}`,
        at: Date.now(),
        clientPort: socket.remotePort ?? 0,
        serverPort: socket.localPort ?? 0,
        nth,
        handshake: variant.tls === null ? null : secure.isSessionReused() ? 'resumed' : 'full',
      });
      const [, what, name = '', ms = '0', kib = '1'] = path.split('/');
      const page = what === 'd' ? pageOf(name) : null;
      const known = page !== null || what === 'r';
      const headers = {
        'content-type': page === null ? 'image/svg+xml' : 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'timing-allow-origin': '*',
        'access-control-allow-origin': '*',
        ...(variant.close ? { connection: 'close' } : {}),
      };
      await waitAtLeast(Number(ms));
      response.writeHead(known ? 200 : 404, headers);
      response.end(page ?? `<svg xmlns="http://www.w3.org/2000/svg"/>${' '.repeat(Number(kib) * 1024)}`);
    };
    const server = serverOf(variant, certificate, listener);
    const open = new Set<Http2Session>();
    sessions.set(kind, open);
    server.on('session', (session: Http2Session) => {
      open.add(session);
      session.on('close', () => open.delete(session));
    });
    servers[kind] = await listen(server);
  }
  const port = (kind: PathKind) => (servers[kind].address() as AddressInfo).port;
  return {
    authority: certificate.authority,
    served,
    url: (kind, host, path) =>
      `http${VARIANTS[kind].tls === null ? '' : 's'}://${host}.${kind}.path.test:${port(kind)}${path}`,
    endIdle(kind) {
      servers[kind].closeIdleConnections?.();
      for (const session of sessions.get(kind) ?? []) session.close();
    },
    async close() {
      for (const server of Object.values(servers)) {
        server.closeAllConnections?.();
        server.close();
      }
    },
  };
}

function serverOf(variant: Variant, certificate: { key: string; chain: string }, listener: RequestListener): Server {
  const keepAliveTimeout = variant.keepAliveMs ?? KEEP_ALIVE_MS;
  if (variant.tls === null) return createHttpServer({ keepAliveTimeout, noDelay: true }, listener);
  const tls = {
    key: certificate.key,
    cert: certificate.chain,
    minVersion: variant.tls,
    maxVersion: variant.tls,
    ...(variant.tickets === false ? noTickets() : {}),
  };
  if (variant.h2) return createSecureServer(tls, listener as never) as unknown as Server;
  return createHttpsServer({ ...tls, keepAliveTimeout, noDelay: true }, listener) as unknown as Server;
}

function listen(server: Server): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '0.0.0.0', () => resolve(server));
  });
}
