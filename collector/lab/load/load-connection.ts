import { connect as connectTcp } from 'node:net';
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
} from 'node:tls';
import type { buildConnector } from 'undici';

/** A server under load. Its name was resolved once, so that no request waits for a resolver. */
export interface LoadServer {
  /** `https://erp.example.com:8443`. */
  readonly origin: string;
  readonly address: string;
  readonly port: number;
  /** What else the client offers: authorities, a certificate, ciphers, groups, versions. */
  readonly tls: SecureContextOptions;
  readonly http2: boolean;
  /** What is requested: path and query. */
  readonly path: string;
  /** How long a connection, and then an answer, may take. */
  readonly timeoutMs: number;
}

/** How one connection came about; times in ms of `performance.now()`. */
export interface OpenedConnection {
  readonly startedAt: number;
  readonly connectedAt: number;
  /** null on plain HTTP. */
  readonly securedAt: number | null;
  /** As the client's own socket says (`isSessionReused`); null on plain HTTP. */
  readonly handshake: 'full' | 'resumed' | null;
  /** What was agreed on; null on plain HTTP, and where it was not asked for. */
  readonly tls: string | null;
  /** Bytes on the wire until the handshake was done; 0 on plain HTTP. */
  readonly handshakeBytes: { readonly received: number; readonly sent: number };
}

/** The TLS session of one virtual user, who may offer it again. */
export interface SessionCache {
  session: Buffer | null;
}

/**
 * Connections as undici wants them. Its own connector shares sessions between clients of one process, so a new user would resume
 * what another one had set up; here each user has a cache of their own, and none means that every handshake is a full one.
 * @param opened told of each connection before a request is sent over it
 * @param describe whether `tls` is needed: looking at a certificate takes as long as a small request
 */
export function loadConnector(
  server: LoadServer,
  cache: SessionCache | null,
  opened: (connection: OpenedConnection) => void,
  describe: boolean,
): buildConnector.connector {
  const { address, port, http2, timeoutMs } = server;
  const { protocol, hostname } = new URL(server.origin);
  return (_, callback) => {
    const startedAt = performance.now();
    const socket = connectTcp({ host: address, port, noDelay: true });
    const fail = (error: Error) => {
      clearTimeout(tooLate);
      socket.destroy();
      callback(error, null);
    };
    // The client's own limits begin once there is a connection.
    const tooLate = setTimeout(() => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), timeoutMs);
    socket.once('error', fail);
    socket.once('connect', () => {
      const connectedAt = performance.now();
      const done = (secure: TLSSocket | null) => {
        opened({
          startedAt,
          connectedAt,
          securedAt: secure && performance.now(),
          handshake: secure && (secure.isSessionReused() ? 'resumed' : 'full'),
          tls: secure && describe ? describeTls(secure) : null,
          handshakeBytes: secure ? { received: socket.bytesRead, sent: socket.bytesWritten } : { received: 0, sent: 0 },
        });
        clearTimeout(tooLate);
        secure?.off('error', fail);
        socket.off('error', fail);
        callback(null, secure ?? socket);
      };
      if (protocol === 'http:') return done(null);
      const session = cache?.session ?? undefined;
      const secure = connectTls({
        secureContext: contextOf(server),
        socket,
        // By which the certificate is checked.
        host: hostname.replace(/^\[|\]$/g, ''),
        ...(isAddress(hostname) ? {} : { servername: hostname }),
        ALPNProtocols: http2 ? ['h2'] : ['http/1.1'],
        ...WITH_STAPLE,
        ...(session && { session }),
      });
      if (cache !== null)
        secure.on('session', (ticket) => {
          cache.session = ticket;
        });
      secure.once('error', fail);
      secure.once('secureConnect', () => done(secure));
    });
  };
}

/** Servers staple to those who ask, which browsers do. The types lack it. */
const WITH_STAPLE: object = { requestOCSP: true };

const contexts = new WeakMap<LoadServer, SecureContext>();

/** Made once: reading authorities takes longer than a handshake. Sessions are not shared by it. */
function contextOf(server: LoadServer): SecureContext {
  const context = contexts.get(server) ?? createSecureContext(server.tls);
  contexts.set(server, context);
  return context;
}

/** As ab has it: `TLSv1.3, TLS_AES_256_GCM_SHA384, X25519MLKEM768, RSA 2048`. A resumed handshake shows neither group nor key. */
function describeTls(secure: TLSSocket): string {
  const { name = '' } = secure.getEphemeralKeyInfo() as { readonly name?: string };
  const key = secure.getPeerX509Certificate()?.publicKey;
  const { modulusLength, namedCurve } = key?.asymmetricKeyDetails ?? {};
  const kind = key && `${key.asymmetricKeyType?.toUpperCase()} ${modulusLength ?? namedCurve ?? ''}`.trim();
  return [secure.getProtocol(), secure.getCipher().name, name, kind].filter(Boolean).join(', ');
}

/** RFC 6066, section 3: a server name is no address. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
}
