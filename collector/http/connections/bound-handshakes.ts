import { createPrivateKey } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { setImmediate as afterIo, setTimeout as pause } from 'node:timers/promises';
import { clientAddress, networkOf } from '../../ingest/admission/client-address.ts';
import { type BucketLimit, TokenBucket } from '../../ingest/admission/token-bucket.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import { connectionName } from './open-connections.ts';

export interface HandshakeLimits {
  /** Unfinished at any one time, across all clients. */
  readonly unfinished: number;
  /** Age (ms) at which an unfinished handshake is cut while others wait. */
  readonly patienceMs: number;
  /** Handshakes begun; null behind a proxy, which all connections come from. */
  readonly perClient: { readonly address: BucketLimit; readonly network: BucketLimit } | null;
}

/** Any of them may still require a signature: after a HelloRetryRequest, with its second message. */
const MAX_UNFINISHED = 64;
/** Several round trips on a slow line. */
const PATIENCE_MS = 1_000;
/** A handshake takes about 1.5 ms unless the key is a large RSA one, so these stay below a quarter of a core. */
const HANDSHAKES_OF_ADDRESS: BucketLimit = { rate: 100, burst: 500 };
/** Of an IPv6 /48. */
const HANDSHAKES_OF_NETWORK: BucketLimit = { rate: 200, burst: 1_000 };
/** With a large RSA key the signature alone takes five times as long, so this too is about a quarter of a core. */
const LARGE_RSA_SHARE = 1 / 2;
/** Remembered addresses, and as many networks. */
const MAX_BUCKETS = 20_000;

export function handshakeLimits(behindProxy: boolean, tls: { readonly key: string } | null): HandshakeLimits {
  const share = tls !== null && isLargeRsa(tls.key) ? LARGE_RSA_SHARE : 1;
  const part = ({ rate, burst }: BucketLimit): BucketLimit => ({ rate: rate * share, burst: burst * share });
  const perClient = { address: part(HANDSHAKES_OF_ADDRESS), network: part(HANDSHAKES_OF_NETWORK) };
  return { unfinished: MAX_UNFINISHED, patienceMs: PATIENCE_MS, perClient: behindProxy ? null : perClient };
}

export interface BoundHandshakes {
  /** Connections cut because their handshake waited or took too long, or did not begin with a hello, since the start. */
  dropped(): number;
}

/**
 * Node begins the handshake of every connection at once and signs on the event loop, which costs the client nothing: it can
 * replay a recorded ClientHello. So connections queue: within the rate of their address, round-robin between networks, one
 * signature at a time.
 *
 * @param server of TLS, with no connection listener but its own
 * @param timeoutMs from the connection to the end of its handshake
 */
export function boundHandshakes(
  server: Server,
  { unfinished, patienceMs, perClient }: HandshakeLimits,
  { timeoutMs, clock }: { readonly timeoutMs: number; readonly clock: () => number },
): BoundHandshakes {
  const shakeHands = ownListener(server);
  server.removeAllListeners('connection');

  const begun = new FairQueue<string>(unfinished);
  const signing = new FairQueue<string>(1);
  const addresses = new Map<string, TokenBucket>();
  const networks = new Map<string, TokenBucket>();
  /** By connection name. */
  const finish = new Map<string, () => void>();
  let dropped = 0;

  const cut = (socket: Socket) => {
    if (socket.destroyed) return;
    dropped++;
    socket.destroy();
  };

  /** How long (ms) a new connection has to wait for the rates of its address and network; null if too long. */
  function reserve(address: string, network: string): number | null {
    if (perClient === null) return 0;
    const now = clock();
    const buckets = [
      bucketOf(addresses, address, perClient.address, now),
      bucketOf(networks, network, perClient.network, now),
    ];
    for (const bucket of buckets) bucket.take(1, now);
    const waitMs = 1000 * Math.max(...buckets.map((bucket) => bucket.secondsUntilOpen(now)));
    if (waitMs < timeoutMs) return waitMs;
    for (const bucket of buckets) bucket.take(-1, now);
    return null;
  }

  /** Resolves when the handshake is complete or its connection closed. */
  function finished(socket: Socket): Promise<void> {
    const name = connectionName(socket);
    return new Promise((resolve) => {
      const end = () => {
        finish.delete(name);
        resolve();
      };
      finish.set(name, end);
      socket.once('close', end);
    });
  }

  /**
   * Then leaves the event loop free for as long as the signature took: it accepts one connection per iteration, and not
   * every one of them may sign.
   */
  async function sign(socket: Socket, putBack: () => void): Promise<void> {
    if (socket.destroyed) return;
    const began = performance.now();
    putBack();
    shakeHands.call(server, socket);
    // Node signs in the next tick.
    await afterIo();
    await pause(performance.now() - began);
  }

  async function waitAndShake(
    socket: Socket,
    putBack: () => void,
    { timeout, signal }: { readonly timeout: NodeJS.Timeout; readonly signal: AbortSignal },
  ): Promise<void> {
    const address = clientAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
    const waitMs = reserve(address, network);
    if (waitMs === null) return cut(socket);
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
    const shake = async () => {
      if (socket.destroyed) return;
      const end = finished(socket);
      await signing.run(network, () => sign(socket, putBack));
      const impatience = setInterval(() => {
        if (begun.waiting > 0) cut(socket);
      }, patienceMs);
      await end;
      clearInterval(impatience);
      clearTimeout(timeout);
    };
    await begun.run(network, shake, signal);
  }

  server.on('connection', (socket: Socket) => {
    const leave = new AbortController();
    const timeout = setTimeout(() => cut(socket), timeoutMs);
    // A `close` event follows.
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(timeout);
      leave.abort();
    });
    const putBack = holdHello(socket, {
      // A silent connection never enters the queue.
      begun() {
        waitAndShake(socket, putBack, { timeout, signal: leave.signal }).catch((error: unknown) => {
          // Otherwise it was closed while it waited.
          if (!leave.signal.aborted) socket.destroy(error instanceof Error ? error : undefined);
        });
      },
      tooMuch: () => cut(socket),
    });
  });
  server.on('secureConnection', (secured: Socket) => finish.get(connectionName(secured))?.());
  return { dropped: () => dropped };
}

function ownListener(server: Server): ReturnType<Server['listeners']>[number] {
  const [own] = server.listeners('connection');
  if (own === undefined) throw new Error('the server has no connection listener of its own');
  return own;
}

function bucketOf(buckets: Map<string, TokenBucket>, key: string, limit: BucketLimit, now: number): TokenBucket {
  const known = buckets.get(key);
  if (known !== undefined) return known;
  if (buckets.size >= MAX_BUCKETS) evict(buckets, now);
  const bucket = new TokenBucket(limit, now);
  buckets.set(key, bucket);
  return bucket;
}

/** Removes full buckets, which have nothing to remember; if there are none, the oldest one. */
function evict(buckets: Map<string, TokenBucket>, now: number): void {
  for (const [key, bucket] of buckets) if (bucket.isFull(now)) buckets.delete(key);
  const [oldest] = buckets.keys();
  if (buckets.size >= MAX_BUCKETS && oldest !== undefined) buckets.delete(oldest);
}

/** A hello arrives in one chunk or a few; each is a buffer of a few hundred bytes, however little it holds. */
const MAX_HELLO_CHUNKS = 16;
/** The capacity of a TLS record; a browser's hello has about 2 KB. */
const MAX_HELLO_BYTES = 2 ** 14;

interface HelloEvents {
  /** Called when the first bytes have arrived. */
  begun(): void;
  /** Not a hello: more bytes, or smaller chunks, than any client sends before it gets an answer. */
  tooMuch(): void;
}

/**
 * Holds the bytes of a client that has to wait, and closes its connection if it hangs up. A socket on its own would
 * buffer 64 KiB, which take many megabytes in chunks of one byte.
 *
 * @returns puts the bytes back into the socket, for TLS to read
 */
function holdHello(socket: Socket, { begun, tooMuch }: HelloEvents): () => void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const hold = (piece: Buffer) => {
    // It may have been cut while more bytes were arriving.
    if (socket.destroyed) return;
    pieces.push(piece);
    bytes += piece.length;
    if (pieces.length > MAX_HELLO_CHUNKS || bytes > MAX_HELLO_BYTES) tooMuch();
    else if (pieces.length === 1) begun();
  };
  const hangUp = () => void socket.destroy();
  socket.on('data', hold);
  socket.on('end', hangUp);
  return () => {
    socket.pause();
    socket.off('data', hold);
    socket.off('end', hangUp);
    socket.unshift(Buffer.concat(pieces));
  };
}

/** A signature takes the event loop 5 ms with a 4096-bit RSA key, 1 ms with 2048 bits, and 0.1 ms with ECDSA P-256. */
export const LARGE_RSA_BITS = 2048;

/** The length of an RSA key; null for other kinds of key. */
export function rsaBits(pem: string): number | null {
  return createPrivateKey(pem).asymmetricKeyDetails?.modulusLength ?? null;
}

function isLargeRsa(pem: string): boolean {
  return (rsaBits(pem) ?? 0) > LARGE_RSA_BITS;
}
