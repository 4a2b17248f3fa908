import { connect, type Socket } from 'node:net';
import type { AddressGuard } from './address-guard.ts';

export interface SocketTarget {
  readonly host: string;
  readonly port: number;
  /** Limit for lookup and connection together, ms. */
  readonly timeoutMs: number;
  /** Closes the socket, connected or not. */
  readonly signal: AbortSignal;
}

/** A TCP connection that the guard allows. Throws network errors, or an OutgoingFailure. */
export async function openSocket(
  guard: AddressGuard,
  { host, port, timeoutMs, signal }: SocketTarget,
): Promise<Socket> {
  guard.check(host);
  const socket = connect({ host, port, lookup: guard.lookup, signal, timeout: timeoutMs });
  // Until the caller adds a listener: an unhandled error would end the process.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    const late = () => socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
    socket.once('timeout', late);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('timeout', late);
      socket.off('error', reject);
      socket.setTimeout(0);
      resolve();
    });
  });
  return socket;
}
