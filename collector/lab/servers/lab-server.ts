import { constants } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { TlsOptions, Server as TlsServer } from 'node:tls';
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts';
import type { ServerCertificate } from './server-certificate.ts';
import { type RequestTruth, ServerTruth } from './server-truth.ts';
import { waitAtLeast } from './wait-at-least.ts';

/** In ms, longer than any visit to one app: Node's default of 5 s would close connections between two visits. */
const KEEP_ALIVE_MS = 120_000;
/** First byte of a TLS handshake record, which distinguishes TLS from HTTP on one port. RFC 8446, section 5.1. */
const TLS_HANDSHAKE = 0x16;

export interface LabTls {
  readonly certificate: Pick<ServerCertificate, 'key' | 'chain'> & Partial<Pick<ServerCertificate, 'staple'>>;
  /** null for either, as the client wants. */
  readonly version: 'TLSv1.2' | 'TLSv1.3' | null;
  readonly protocol: 'http/1.1' | 'h2';
  /** False: no session can be resumed, so every handshake is a full one. */
  readonly tickets: boolean;
  /** Resumes sessions by their id too, for clients that take no tickets; TLS 1.2 only. */
  readonly keepsSessions?: boolean;
  /** Asks clients for a certificate, and takes any. */
  readonly asksClient?: boolean;
}

export interface LabServerOptions {
  /** null for plain HTTP. */
  readonly tls: LabTls | null;
  /** Also plain HTTP on the TLS port: a probe sequence needs one resource under both schemes. */
  readonly plainToo?: boolean;
  /** What the server does after each response. */
  readonly connection: 'keep-alive' | 'close';
  /** How long it keeps an idle connection of HTTP/1.1; two minutes by default. */
  readonly keepAliveMs?: number;
  readonly serverDelayMs: number;
  readonly seen?: (truth: RequestTruth) => void;
}

export interface LabAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Close the connection after this response, whatever the server does otherwise. HTTP/1.1 only. */
  readonly close?: boolean;
  /** Added to the server's own delay, ms. */
  readonly delayMs?: number;
}

/** A server on loopback with a known delay, which reports the truth about each request in Server-Timing. */
export async function startLabServer(
  options: LabServerOptions,
  respond: (path: string) => LabAnswer,
): Promise<LoopbackServer> {
  const truth = new ServerTruth();
  const listener: RequestListener = async (request, response) => {
    const begun = truth.begin(request, (request as unknown as Partial<Http2ServerRequest>).stream?.session ?? null);
    options.seen?.(begun.truth);
    // Started first, so that the time to build the response is part of the known delay and not added to it.
    const delay = waitAtLeast(options.serverDelayMs);
    const { status, headers, body, close, delayMs = 0 } = respond((request.url ?? '/').split('?')[0] ?? '/');
    await delay;
    if (delayMs > 0) await waitAtLeast(delayMs);
    const last = (close || options.connection === 'close') && request.httpVersionMajor === 1;
    // HTTP/2 forbids this header.
    const connection = last ? { connection: 'close' } : {};
    response.writeHead(status, {
      ...headers,
      ...connection,
      'server-timing': begun.serverTiming(options.serverDelayMs + delayMs),
    });
    response.end(body);
  };
  const { server, closeSessions } = listenerOf(options, listener);
  server.on('connection', (socket: Socket) => {
    truth.opened(socket);
    socket.setNoDelay(true);
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    port,
    close() {
      closeSessions();
      return close();
    },
  };
}

interface Listener {
  readonly server: Server;
  readonly closeSessions: () => void;
}

function listenerOf(options: LabServerOptions, listener: RequestListener): Listener {
  const { tls, plainToo, keepAliveMs = KEEP_ALIVE_MS } = options;
  const plain = () => createHttpServer({ keepAliveTimeout: keepAliveMs }, listener);
  if (tls === null) return { server: plain(), closeSessions: () => {} };
  const secure = secureServer(tls, keepAliveMs, listener);
  return plainToo ? { ...secure, server: eitherServer(plain(), secure.server) } : secure;
}

function secureServer(
  { certificate, version, protocol, tickets, keepsSessions = false, asksClient = false }: LabTls,
  keepAliveMs: number,
  listener: RequestListener,
): Listener {
  const tls = {
    key: certificate.key,
    cert: certificate.chain,
    minVersion: version ?? 'TLSv1.2',
    maxVersion: version ?? 'TLSv1.3',
    ...(asksClient ? { requestCert: true, rejectUnauthorized: false } : {}),
    ...(tickets ? {} : noTickets()),
  };
  if (protocol !== 'h2') {
    const server = createHttpsServer({ ...tls, keepAliveTimeout: keepAliveMs }, listener);
    if (keepsSessions) keepSessions(server);
    const { staple } = certificate;
    if (staple) server.on('OCSPRequest', (_leaf, _issuer, answer) => answer(null, staple));
    return { server, closeSessions: () => {} };
  }
  const sessions = new Set<Http2Session>();
  // The compatibility layer provides everything the listener uses of HTTP/1.1.
  const server = createSecureServer(tls, listener as unknown as Parameters<typeof createSecureServer>[1]);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  return { server, closeSessions: () => sessions.forEach((session) => void session.destroy()) };
}

/** Node keeps no sessions by itself. RFC 5246, section 7.4.1.2. */
function keepSessions(server: TlsServer): void {
  const sessions = new Map<string, Buffer>();
  server.on('newSession', (id, session, done) => {
    sessions.set(id.toString('hex'), session);
    done();
  });
  server.on('resumeSession', (id, done) => done(null, sessions.get(id.toString('hex')) ?? null));
}

/** A session that ends at once and no ticket to resume it: every handshake is a full one. */
export function noTickets(): TlsOptions {
  return { secureOptions: constants.SSL_OP_NO_TICKET, sessionTimeout: 1 };
}

/** Hands each connection to the server whose protocol its first byte belongs to. */
function eitherServer(plain: Server, secure: Server): Server {
  return createServer((socket) => {
    socket.on('error', () => {}); // the browser hung up: no one to report it to
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      const isSecure = first[0] === TLS_HANDSHAKE;
      (isSecure ? secure : plain).emit('connection', socket);
      // TLS reads the unshifted bytes itself; a flowing socket would lose them.
      if (!isSecure) socket.resume();
    });
  });
}
