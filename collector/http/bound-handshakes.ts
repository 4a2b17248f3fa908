import type { Server, Socket } from 'node:net';
import { setImmediate as afterIo, setTimeout as pause } from 'node:timers/promises';
import { clientAddress, networkOf } from '../ingest/client-address.ts';
import { type BucketLimit, TokenBucket } from '../ingest/token-bucket.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import { connectionName } from './connection-name.ts';
import { holdHello } from './hold-hello.ts';
import { isLargeRsa } from './large-rsa.ts';

export interface HandshakeLimits {
  /** Begun and not finished at any time, of all clients. */
  readonly unfinished: number;
  /** An unfinished handshake older than this is cut when others wait, ms. */
  readonly patienceMs: number;
  /** Handshakes begun; null where all come from one proxy. */
  readonly perClient: { readonly address: BucketLimit; readonly network: BucketLimit } | null;
}

/** Any of them may still ask for a signature: a client that was told to choose another key share does so with its second message. */
const MAX_UNFINISHED = 64;
/** Several round trips of a slow line. */
const PATIENCE_MS = 1_000;
/** A handshake takes about 1.5 ms with a key that is not a large RSA one, so these are below a quarter of a core. */
const HANDSHAKES_OF_ADDRESS: BucketLimit = { rate: 100, burst: 500 };
/** Of a /48 of IPv6. */
const HANDSHAKES_OF_NETWORK: BucketLimit = { rate: 200, burst: 1_000 };
/** A signature takes five times as long, the rest of a handshake does not: about a quarter of a core again. */
const LARGE_RSA_SHARE = 1 / 2;
/** Addresses that are remembered, and networks. */
const MAX_BUCKETS = 20_000;

export function handshakeLimits(behindProxy: boolean, tls: { readonly key: string } | null): HandshakeLimits {
  const share = tls !== null && isLargeRsa(tls.key) ? LARGE_RSA_SHARE : 1;
  const part = ({ rate, burst }: BucketLimit): BucketLimit => ({ rate: rate * share, burst: burst * share });
  const perClient = { address: part(HANDSHAKES_OF_ADDRESS), network: part(HANDSHAKES_OF_NETWORK) };
  return { unfinished: MAX_UNFINISHED, patienceMs: PATIENCE_MS, perClient: behindProxy ? null : perClient };
}

export interface BoundHandshakes {
  /** Connections cut because their handshake did not get its turn, took too long or began with no hello, since the start. */
  dropped(): number;
}

/**
 * Node shakes hands with every connection as soon as it is there, and signs on the event loop. A client pays nothing for
 * that: it can replay one recorded ClientHello. So connections wait for their turn: within the rate of their address,
 * networks in turn, one signature at a time.
 *
 * @param server of TLS, with no listener for connections but its own
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
  /** By the connection's name. */
  const finish = new Map<string, () => void>();
  let dropped = 0;

  const cut = (socket: Socket) => {
    if (socket.destroyed) return;
    dropped++;
    socket.destroy();
  };

  /** How long a newcomer has to wait for the rates of its address and network, ms; null if that is too long. */
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

  /** Resolves when the handshake is done or its connection closed. */
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

  /** Then leaves the event loop to others for as long: it accepts one connection a turn, so signatures must not fill every turn. */
  async function sign(socket: Socket, putBack: () => void): Promise<void> {
    if (socket.destroyed) return;
    const began = performance.now();
    putBack();
    shakeHands.call(server, socket);
    // Node signs in the next tick.
    await afterIo();
    await pause(performance.now() - began);
  }

  async function takeTurn(
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
    // It is closed next.
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(timeout);
      leave.abort();
    });
    const putBack = holdHello(socket, {
      // A silent connection never enters the queue.
      begun() {
        takeTurn(socket, putBack, { timeout, signal: leave.signal }).catch((error: unknown) => {
          // It was closed while it waited.
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
  if (own === undefined) throw new Error('the server has no listener of its own for connections');
  return own;
}

function bucketOf(buckets: Map<string, TokenBucket>, key: string, limit: BucketLimit, now: number): TokenBucket {
  const known = buckets.get(key);
  if (known !== undefined) return known;
  if (buckets.size >= MAX_BUCKETS) makePlace(buckets, now);
  const bucket = new TokenBucket(limit, now);
  buckets.set(key, bucket);
  return bucket;
}

/** First those that there is nothing to remember about; if there are none, the oldest. */
function makePlace(buckets: Map<string, TokenBucket>, now: number): void {
  for (const [key, bucket] of buckets) if (bucket.isFull(now)) buckets.delete(key);
  const [oldest] = buckets.keys();
  if (buckets.size >= MAX_BUCKETS && oldest !== undefined) buckets.delete(oldest);
}
