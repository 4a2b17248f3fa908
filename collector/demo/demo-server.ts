import { createServer, type RequestListener } from 'node:http';
import { createSecureServer, type Http2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { DemoAnswer } from './demo-answer.ts';
import type { DemoApp } from './demo-apps.ts';
import type { DemoCertificate } from './demo-certificate.ts';
import { waitAtLeast } from './wait-at-least.ts';

/** Longer than a demo looks at one app: Node's own 5 s would end connections between two visits, ms. */
const KEEP_ALIVE_MS = 120_000;

export interface DemoServer {
  readonly port: number;
  close(): Promise<void>;
}

/** One app's own server, without the network delay. `respond` gets the path without its query. */
export async function startDemoServer(
  app: DemoApp,
  certificate: DemoCertificate,
  respond: (path: string) => DemoAnswer,
): Promise<DemoServer> {
  const listener: RequestListener = async (request, response) => {
    // Begun first, so that the time to make the answer is part of the known delay and not added to it.
    const delay = waitAtLeast(app.serverDelayMs);
    const { status, headers, body } = respond((request.url ?? '/').split('?')[0] ?? '/');
    await delay;
    // HTTP/2 has no such header, and refuses it.
    const connection = app.connection === 'close' ? { connection: 'close' } : {};
    response.writeHead(status, { ...headers, ...connection, 'server-timing': serverTiming(app, request.socket) });
    response.end(body);
  };
  const { server, closeSessions } = createAppServer(app, certificate, listener);
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.setNoDelay(true);
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        closeSessions();
        for (const socket of open) socket.destroy();
      }),
  };
}

function createAppServer(
  app: DemoApp,
  certificate: DemoCertificate,
  listener: RequestListener,
): { server: Server; closeSessions: () => void } {
  if (app.tlsVersion === null) {
    return { server: createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener), closeSessions: () => {} };
  }
  const tls = {
    key: certificate.key,
    cert: certificate.chain,
    minVersion: app.tlsVersion,
    maxVersion: app.tlsVersion,
  };
  if (app.protocol !== 'h2') {
    const server = createHttpsServer({ ...tls, keepAliveTimeout: KEEP_ALIVE_MS }, listener);
    return { server, closeSessions: () => {} };
  }
  const sessions = new Set<Http2Session>();
  // The compatibility layer's requests and responses have all that the listener uses of HTTP/1.1's.
  const server = createSecureServer(tls, listener as unknown as Parameters<typeof createSecureServer>[1]);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  return { server, closeSessions: () => sessions.forEach((session) => void session.destroy()) };
}

/** What only a server knows of the handshake. https://www.w3.org/TR/server-timing/ */
function serverTiming(app: DemoApp, socket: Socket): string {
  const time = `app;dur=${app.serverDelayMs}`;
  if (app.tlsVersion === null) return time;
  return `${time}, tls;desc="${(socket as TLSSocket).isSessionReused() ? 'resumed' : 'full'}"`;
}
