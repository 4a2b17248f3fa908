import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** For a server that cannot choose its port itself. Another program may take it before that server does. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
