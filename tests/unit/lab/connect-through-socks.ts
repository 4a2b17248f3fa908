import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const REPLY_LENGTH = 10;

/** A connection to `host:port` by way of a SOCKS 5 proxy, the way a browser makes it. https://www.rfc-editor.org/rfc/rfc1928 */
export async function connectThroughSocks(proxy: string, host: string, port: number): Promise<Socket> {
  const { hostname, port: proxyPort } = new URL(proxy.replace('socks5:', 'http:'));
  const socket = connect({ host: hostname, port: Number(proxyPort), noDelay: true });
  await once(socket, 'connect');
  socket.write(Buffer.from([5, 1, 0]));
  await read(socket, 2);
  const name = Buffer.from(host);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 0xff])]));
  const [, code] = await read(socket, REPLY_LENGTH);
  if (code !== 0) throw new Error(`The proxy refused ${host}:${port} with ${code}.`);
  return socket;
}

async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null;
    if (chunk !== null) return chunk;
    await once(socket, 'readable');
  }
}
