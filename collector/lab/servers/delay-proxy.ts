import { connect, createServer, type Socket } from 'node:net';
import { createDelayLine } from './delay-line.ts';
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts';

/** Limit for one direction of one connection, bytes; beyond it the sender is paused. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;

/**
 * A TCP proxy on loopback that delays every chunk, and the end of the stream, by half a round trip in each direction.
 * TLS and the wait for a response see the whole round trip; the TCP handshake does not, since the kernel answers it.
 */
export async function startDelayProxy(serverPort: number, roundTripMs: number): Promise<LoopbackServer> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ host: '127.0.0.1', port: serverPort, allowHalfOpen: true, noDelay: true });
    forward(client, upstream, roundTripMs / 2);
    forward(upstream, client, roundTripMs / 2);
  });
  return listenOnLoopback(server);
}

/** Delays everything from one end, including its close and resets, by `oneWayMs` on the way to the other. */
export function forward(from: Socket, to: Socket, oneWayMs: number): void {
  const line = createDelayLine(oneWayMs);
  let held = 0;
  from.on('data', (chunk) => {
    held += chunk.length;
    if (held > MAX_HELD_BYTES) from.pause();
    line.add(() => {
      held -= chunk.length;
      if (from.isPaused() && held <= MAX_HELD_BYTES / 2) from.resume();
      if (to.writable) to.write(chunk);
    });
  });
  from.on('end', () => line.add(() => to.end()));
  // A reset is passed on as a reset; the `close` that follows drops the chunks still held.
  from.on('error', () => to.destroy());
  to.on('close', () => {
    line.clear();
    from.destroy();
  });
}
