import { connect, type Socket } from 'node:net';
import type { AddressGuard } from './address-guard.ts';

export interface SocketTarget {
  readonly host: string;
  readonly port: number;
  /** For the name and the connection, ms. */
  readonly timeoutMs: number;
  /** Ends it, connected or not. */
  readonly signal: AbortSignal;
}

/** A TCP connection that the guard allows. Throws what the network throws, or an OutgoingFailure. */
export async function openSocket(
  guard: AddressGuard,
  { host, port, timeoutMs, signal }: SocketTarget,
): Promise<Socket> {
  guard.check(host);
  const socket = connect({ host, port, lookup: guard.lookup, signal, timeout: timeoutMs });
  // Kept for the time until whoever asked listens: an error that nobody hears ends the process.
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
