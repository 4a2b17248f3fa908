import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { forward } from './delay-proxy.ts';
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts';
import { waitAtLeast } from './wait-at-least.ts';

/** https://www.rfc-editor.org/rfc/rfc1928 */
const VERSION = 5;
const NO_AUTHENTICATION = 0;
const CONNECT = 1;
const ADDRESS_TYPES = { ipv4: 1, name: 3, ipv6: 4 } as const;
const REPLY_LENGTH = 10;
const SUCCEEDED = 0;
const NOT_ALLOWED = 2;

/** Where a connection leads, and how far it is. */
export interface SocksRoute {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly roundTripMs: number;
}

/**
 * A SOCKS 5 proxy on loopback that simulates a network path: a browser counts the proxy's reply as part of the TCP
 * handshake, so delaying it by a round trip gives `tcp` its known delay, which a plain TCP proxy cannot. The data that
 * follows is delayed as in `startDelayProxy`. Implemented here, because the timing of the reply is the point.
 *
 * @param route the server behind the requested port, whatever the host; null refuses
 */
export async function startSocksPath(route: (port: number) => SocksRoute | null): Promise<LoopbackServer> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => client.destroy());
    serve(client).catch(() => client.destroy());
  });

  async function serve(client: Socket): Promise<void> {
    const read = reader(client);
    const [, methods = 0] = await read(2);
    await read(methods);
    client.write(Buffer.from([VERSION, NO_AUTHENTICATION]));
    const [, command, , type = 0] = await read(4);
    await read(await addressLength(type, read));
    const port = (await read(2)).readUInt16BE(0);
    const found = command === CONNECT ? route(port) : null;
    if (found === null) {
      client.end(reply(NOT_ALLOWED));
      return;
    }
    const { roundTripMs } = found;
    const upstream = connect({ host: '127.0.0.1', port: found.port, allowHalfOpen: true, noDelay: true });
    upstream.on('error', () => upstream.destroy());
    client.on('close', () => upstream.destroy());
    await Promise.all([once(upstream, 'connect'), waitAtLeast(roundTripMs)]);
    client.write(reply(SUCCEEDED));
    forward(client, upstream, roundTripMs / 2);
    forward(upstream, client, roundTripMs / 2);
  }

  return listenOnLoopback(server);
}

type Read = (bytes: number) => Promise<Buffer>;

function reader(socket: Socket): Read {
  return async (bytes) => {
    if (bytes === 0) return Buffer.alloc(0);
    for (;;) {
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk?.length === bytes) return chunk;
      if (socket.readableEnded || socket.destroyed) throw new Error('The client disconnected during its greeting.');
      await once(socket, 'readable');
    }
  };
}

async function addressLength(type: number, read: Read): Promise<number> {
  if (type === ADDRESS_TYPES.ipv4) return 4;
  if (type === ADDRESS_TYPES.ipv6) return 16;
  return (await read(1))[0] ?? 0;
}

function reply(code: number): Buffer {
  const bytes = Buffer.alloc(REPLY_LENGTH);
  bytes.set([VERSION, code, 0, ADDRESS_TYPES.ipv4]);
  return bytes;
}
